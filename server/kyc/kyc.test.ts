import { describe, expect, test } from "vitest";
import { Refusal } from "#core/refusal.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import {
  allYes,
  createTestSubmission,
  testBrowser,
  testDetails,
  uploadTestDocument,
  verifyingProduct,
  viewTestDocuments,
} from "#tests/factories/kyc.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { approveKyc } from "./approve-kyc.ts";
import { askSecondReview } from "./ask-second-review.ts";
import { chooseIdentity } from "./choose-identity.ts";
import { declineKyc } from "./decline-kyc.ts";
import { expireKyc } from "./expire-kyc.ts";
import { findProcessingHours } from "./find-processing-hours.ts";
import { getKyc } from "./get-kyc.ts";
import { findResidence, listResidences } from "./list-residences.ts";
import { listReviews } from "./list-reviews.ts";
import { listDecidedSubmissions, listWaitingSubmissions } from "./list-submissions.ts";
import { requireResidence } from "./require-residence.ts";
import { saveDetails } from "./save-details.ts";
import { stateResidence } from "./state-residence.ts";
import { submitKyc } from "./submit-kyc.ts";

const { db, owner } = await testDatabase();
const product = verifyingProduct({ db, files: testFiles() });
const now = new Date("2026-11-21T12:00:00Z");
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const grace = await createTestOperator(db, { role: "verifier" });
const alan = await createTestOperator(db, { role: "verifier" });

async function newCustomer(): Promise<string> {
  return (await createTestCustomer(db)).id;
}

async function approve(submissionId: string, operator = grace, at = later(1)) {
  await viewTestDocuments(product, operator, submissionId, at);
  const approval = { submissionId, checklist: allYes() };
  return approveKyc(product, operator, approval, at);
}

/** Answers every question with no, and declines these parts. */
async function decline(submissionId: string, reasons: Record<string, string>, at = later(1)) {
  const checklist = allYes().map((each) => ({ ...each, yes: false, note: "not so" }));
  await declineKyc(product, grace, { submissionId, checklist, reasons }, at);
}

async function mailsOf(customerId: string): Promise<string[]> {
  const { rows } = await owner.query<{ template: string }>(
    "select template from mails where user_id = $1 and template like 'kyc-%' order by id",
    [customerId],
  );
  return rows.map(({ template }) => template);
}

/** What happened to the account since it was registered. */
async function eventsOf(customerId: string): Promise<string[]> {
  const { rows } = await owner.query<{ event: string }>(
    "select event from account_events where user_id = $1 and event <> 'registered' order by occurred_at, id",
    [customerId],
  );
  return rows.map(({ event }) => event);
}

describe("residence", () => {
  test("is kept with its time, and said once however often it is said", async () => {
    const customerId = await newCustomer();
    expect(await findResidence(db, customerId)).toBeNull();
    await expect(requireResidence(db, customerId)).rejects.toThrow(
      new Refusal("kyc/residence-unknown"),
    );
    for (const at of [now, later(1)]) {
      await stateResidence(db, { customerId, country: "DE", ...testBrowser }, at);
    }
    expect(await findResidence(db, customerId)).toMatchObject({
      country: "DE",
      name: "Germany",
      statedAt: now,
      served: true,
    });
    expect(await requireResidence(db, customerId)).toBe("DE");
    expect(await eventsOf(customerId)).toEqual(["residence-stated"]);
  });

  test("in the United States and its territories is refused, and remembered", async () => {
    const customerId = await newCustomer();
    for (const country of ["US", "PR"]) {
      const stated = stateResidence(db, { customerId, country, ...testBrowser }, now);
      await expect(stated).rejects.toThrow(new Refusal("kyc/residence-refused"));
      await expect(requireResidence(db, customerId)).rejects.toThrow(
        new Refusal("kyc/residence-refused"),
      );
    }
    await stateResidence(db, { customerId, country: "CA", ...testBrowser }, later(1));
    const said = await listResidences(db, customerId, 10);
    expect(said.map(({ country }) => country)).toEqual(["CA", "PR", "US"]);
  });

  test("nowhere is no country", async () => {
    const stated = stateResidence(
      db,
      { customerId: await newCustomer(), country: "XX", ...testBrowser },
      now,
    );
    await expect(stated).rejects.toThrow(new Refusal("kyc/no-such-country"));
  });

  test("elsewhere ends an approval; the same again does not", async () => {
    const customerId = await newCustomer();
    const { submissionId } = await createTestSubmission(product, customerId, { now });
    await approve(submissionId);
    await stateResidence(db, { customerId, country: "GB", ...testBrowser }, later(2));
    expect((await getKyc(db, customerId, later(2))).state).toBe("approved");
    await stateResidence(db, { customerId, country: "FR", ...testBrowser }, later(3));
    const after = await getKyc(db, customerId, later(3));
    expect([after.state, after.level]).toEqual(["expired", "resident"]);
  });
});

describe("submitting", () => {
  test("asks for what is missing, part by part, and takes nothing before", async () => {
    const customerId = await newCustomer();
    const submit = () => submitKyc(product, { customerId, ...testBrowser }, now);
    await expect(submit()).rejects.toThrow(new Refusal("kyc/residence-unknown"));
    await stateResidence(db, { customerId, country: "GB", ...testBrowser }, now);
    await expect(submit()).rejects.toThrow(new Refusal("kyc/incomplete"));
    await saveDetails(db, customerId, testDetails, now);
    await chooseIdentity(db, customerId, { kind: "identity-card", expiresOn: null }, now);
    await uploadTestDocument(product, customerId, "identity-front", now);
    const { state, missing, level } = await getKyc(db, customerId, now);
    expect([state, level]).toEqual(["not started", "resident"]);
    expect(missing).toEqual(["second-kind", "identity-back"]);
    await expect(submit()).rejects.toThrow(new Refusal("kyc/incomplete"));
  });

  test("twice is once: one submission, one mail, one line in the history", async () => {
    const customerId = await newCustomer();
    const first = await createTestSubmission(product, customerId, { now });
    const again = await Promise.all(
      [1, 2].map(() => submitKyc(product, { customerId, ...testBrowser }, now)),
    );
    expect(again).toEqual([first, first]);
    expect(await mailsOf(customerId)).toEqual(["kyc-received"]);
    expect((await eventsOf(customerId)).slice(-1)).toEqual(["kyc-submitted"]);
  });

  test("closes every part until it is decided", async () => {
    const customerId = await newCustomer();
    await createTestSubmission(product, customerId, { now });
    const closed = new Refusal("kyc/not-open");
    expect((await getKyc(db, customerId, now)).open).toEqual([]);
    await expect(saveDetails(db, customerId, testDetails, now)).rejects.toThrow(closed);
    await expect(uploadTestDocument(product, customerId, "selfie", now)).rejects.toThrow(closed);
    const moved = stateResidence(db, { customerId, country: "FR", ...testBrowser }, now);
    await expect(moved).rejects.toThrow(new Refusal("kyc/under-review"));
  });

  test.each([
    ["2008-11-22", "kyc/too-young"],
    ["2030-01-01", "kyc/no-such-birthday"],
    ["1990-02-30", "kyc/no-such-birthday"],
  ])("born on %s: %s", async (dateOfBirth, code) => {
    const saved = saveDetails(db, await newCustomer(), { ...testDetails, dateOfBirth }, now);
    await expect(saved).rejects.toThrow(new Refusal(code));
  });

  test("a document that has expired is refused where it is said, and where it expires meanwhile", async () => {
    const customerId = await newCustomer();
    const said = { kind: "passport", expiresOn: "2026-11-20" } as const;
    const expired = new Refusal("kyc/document-expired");
    await expect(chooseIdentity(db, customerId, said, now)).rejects.toThrow(expired);
    await chooseIdentity(db, customerId, { ...said, expiresOn: "2026-11-21" }, now);
    const submitted = createTestSubmission(product, customerId, { expiresOn: "2026-11-21", now });
    await expect(submitted).resolves.toBeDefined();
  });

  test("another kind of document needs its own pictures", async () => {
    const customerId = await newCustomer();
    await chooseIdentity(db, customerId, { kind: "identity-card", expiresOn: null }, now);
    await uploadTestDocument(product, customerId, "identity-front", now);
    await chooseIdentity(db, customerId, { kind: "passport", expiresOn: null }, now);
    const { missing } = await getKyc(db, customerId, now);
    expect(missing).toContain("identity-front");
  });
});

describe("reviewing", () => {
  test("shows who waits longest first, and figures once there are some", async () => {
    expect(await findProcessingHours(db, new Date("2020-01-01T00:00:00Z"))).not.toBeUndefined();
    const [first] = await listWaitingSubmissions(db, { limit: 1 });
    const rest = await listWaitingSubmissions(db, { limit: 50, after: first?.id });
    expect(rest.every(({ submittedAt }) => submittedAt >= (first?.submittedAt ?? now))).toBe(true);
    expect(rest.some(({ id }) => id === first?.id)).toBe(false);
  });

  test("approves for as long as the document is valid, and tells the customer", async () => {
    const customerId = await newCustomer();
    const wanted = { now, expiresOn: "2027-01-31" };
    const { submissionId } = await createTestSubmission(product, customerId, wanted);
    expect(await approve(submissionId)).toEqual({ decided: true });
    const { state, level, submission, draft } = await getKyc(db, customerId, later(2));
    expect([state, level, draft]).toEqual(["approved", "verified", null]);
    expect(submission?.validUntil).toEqual(new Date("2027-02-01T00:00:00Z"));
    expect(await mailsOf(customerId)).toEqual(["kyc-received", "kyc-approved"]);
    expect(await findProcessingHours(db, later(2))).toMatchObject({ median: 1, ninetieth: 1 });
    const [newest] = await listDecidedSubmissions(db, 50);
    expect(newest?.decidedAt).toBeInstanceOf(Date);
  });

  test("needs every document looked at, and every question answered with yes", async () => {
    const { submissionId } = await createTestSubmission(product, await newCustomer(), { now });
    const approval = { submissionId, checklist: allYes() };
    await expect(approveKyc(product, grace, approval, now)).rejects.toThrow(
      new Refusal("kyc/documents-not-viewed"),
    );
    await viewTestDocuments(product, grace, submissionId, now);
    const [, ...allButOne] = allYes();
    const missing = { submissionId, checklist: allButOne };
    await expect(approveKyc(product, grace, missing, now)).rejects.toThrow(
      new Refusal("kyc/checklist-incomplete"),
    );
    // A colleague's look does not count.
    await expect(approveKyc(product, alan, approval, now)).rejects.toThrow(
      new Refusal("kyc/documents-not-viewed"),
    );
  });

  test("declines with a reason for each part, and asks for these alone again", async () => {
    const customerId = await newCustomer();
    const { submissionId } = await createTestSubmission(product, customerId, { now });
    await decline(submissionId, { "identity-front": "The edge is cut off." });
    const { state, open, missing, submission } = await getKyc(db, customerId, later(1));
    expect(state).toBe("declined");
    expect(submission?.declined).toEqual([
      { part: "identity-front", reason: "The edge is cut off." },
    ]);
    expect(missing).toEqual(["identity-front"]);
    expect(open).toEqual(["identity-kind", "identity-front", "identity-back"]);
    const closed = new Refusal("kyc/not-open");
    await expect(saveDetails(db, customerId, testDetails, later(1))).rejects.toThrow(closed);
    await expect(uploadTestDocument(product, customerId, "selfie", later(1))).rejects.toThrow(
      closed,
    );
    await uploadTestDocument(product, customerId, "identity-front", later(2));
    const again = await submitKyc(product, { customerId, ...testBrowser }, later(2));
    expect(again.submissionId).not.toBe(submissionId);
    expect(await approve(again.submissionId, grace, later(3))).toEqual({ decided: true });
    expect(await mailsOf(customerId)).toEqual([
      "kyc-received",
      "kyc-declined",
      "kyc-received",
      "kyc-approved",
    ]);
  });

  test("declined details are said again, with what was typed still there", async () => {
    const customerId = await newCustomer();
    const { submissionId } = await createTestSubmission(product, customerId, { now });
    await decline(submissionId, { "personal-details": "The name differs." });
    const { missing, draft } = await getKyc(db, customerId, later(1));
    expect(missing).toEqual(["personal-details"]);
    expect(draft).toMatchObject(testDetails);
  });

  test("a no needs a note, a decline a reason of a part that was asked for", async () => {
    const { submissionId } = await createTestSubmission(product, await newCustomer(), { now });
    const noWithoutNote = allYes().map((each) => ({ ...each, yes: false }));
    const reasons = { "identity-front": "Blurred." };
    const declining = (checklist: typeof noWithoutNote, why: Record<string, string>) =>
      declineKyc(product, grace, { submissionId, checklist, reasons: why }, now);
    await expect(declining(noWithoutNote, reasons)).rejects.toThrow(
      new Refusal("kyc/checklist-incomplete"),
    );
    for (const why of [{}, { "identity-front": " " }, { "proof-of-address": "Not asked for." }]) {
      await expect(declining(allYes(), why)).rejects.toThrow(new Refusal("kyc/reason-missing"));
    }
  });

  test("of a decision and another at the same time, one happens", async () => {
    const customerId = await newCustomer();
    const { submissionId } = await createTestSubmission(product, customerId, { now });
    await viewTestDocuments(product, grace, submissionId, now);
    await viewTestDocuments(product, alan, submissionId, now);
    const approval = { submissionId, checklist: allYes() };
    const reasons = { selfie: "Somebody else." };
    const both = await Promise.allSettled([
      approveKyc(product, grace, approval, later(1)),
      declineKyc(product, alan, { ...approval, reasons }, later(1)),
    ]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({
      reason: new Refusal("kyc/already-decided"),
    });
    expect(await mailsOf(customerId)).toHaveLength(2);
  });

  test("roles without the right are refused, whatever they call", async () => {
    const { submissionId } = await createTestSubmission(product, await newCustomer(), { now });
    const refused = new Refusal("identity/not-permitted");
    for (const role of ["support", "treasurer", "approver", "content", "auditor"] as const) {
      const other = await createTestOperator(db, { role });
      const approval = { submissionId, checklist: allYes() };
      await expect(viewTestDocuments(product, other, submissionId, now)).rejects.toThrow(refused);
      await expect(approveKyc(product, other, approval, now)).rejects.toThrow(refused);
      const reasons = { selfie: "No." };
      const declined = declineKyc(product, other, { ...approval, reasons }, now);
      await expect(declined).rejects.toThrow(refused);
    }
  });
});

describe("a high risk", () => {
  test("by country is approved by two different verifiers", async () => {
    const customerId = await newCustomer();
    const wanted = { country: "KP", now };
    const { submissionId } = await createTestSubmission(product, customerId, wanted);
    expect(await approve(submissionId, grace)).toEqual({ decided: false });
    expect((await getKyc(db, customerId, later(1))).state).toBe("submitted");
    await expect(approve(submissionId, grace)).rejects.toThrow(new Refusal("kyc/reviewed-by-you"));
    expect(await approve(submissionId, alan)).toEqual({ decided: true });
    const reviews = await listReviews(db, submissionId);
    expect(reviews.map(({ operatorId }) => operatorId)).toEqual([grace.id, alan.id]);
  });

  test("by a verifier's word, which nobody takes back", async () => {
    const customerId = await newCustomer();
    const { submissionId } = await createTestSubmission(product, customerId, { now });
    const asking = { submissionId, reason: "The photo looks printed." };
    await askSecondReview(db, grace, asking, now);
    await expect(askSecondReview(db, alan, asking, now)).rejects.toThrow(
      new Refusal("kyc/second-review-asked"),
    );
    expect(await approve(submissionId, grace)).toEqual({ decided: false });
    expect(await approve(submissionId, alan)).toEqual({ decided: true });
  });

  test("is declined by one, also after another approved", async () => {
    const customerId = await newCustomer();
    const { submissionId } = await createTestSubmission(product, customerId, {
      country: "KP",
      now,
    });
    expect(await approve(submissionId, alan)).toEqual({ decided: false });
    await decline(submissionId, { selfie: "Somebody else." });
    expect((await getKyc(db, customerId, later(1))).state).toBe("declined");
  });
});

describe("an approval", () => {
  test("ends with its document, at once, and the customer is told once", async () => {
    const customerId = await newCustomer();
    const wanted = { now, expiresOn: "2026-12-01" };
    const { submissionId } = await createTestSubmission(product, customerId, wanted);
    await approve(submissionId);
    const end = new Date("2026-12-02T00:00:00Z");
    const before = await getKyc(db, customerId, new Date(end.getTime() - 1));
    const after = await getKyc(db, customerId, end);
    expect([before.state, after.state, after.level]).toEqual(["approved", "expired", "resident"]);
    await expireKyc(db, product.config, end);
    await expireKyc(db, product.config, end);
    expect((await mailsOf(customerId)).slice(-1)).toEqual(["kyc-expired"]);
    expect(await mailsOf(customerId)).toHaveLength(3);
  });

  test("that ended is renewed by a new submission, with new documents", async () => {
    const customerId = await newCustomer();
    const wanted = { now, expiresOn: "2026-12-01" };
    await approve((await createTestSubmission(product, customerId, wanted)).submissionId);
    const end = new Date("2026-12-02T00:00:00Z");
    expect((await getKyc(db, customerId, end)).kept).toEqual([]);
    const { submissionId } = await createTestSubmission(product, customerId, { now: end });
    expect(await approve(submissionId, alan, end)).toEqual({ decided: true });
    expect((await getKyc(db, customerId, end)).state).toBe("approved");
  });
});
