import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import {
  allYes,
  createTestSubmission,
  uploadTestDocument,
  verifyingProduct,
  viewTestDocuments,
} from "#tests/factories/kyc.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { approveKyc } from "./approve-kyc.ts";
import { stateResidence } from "./state-residence.ts";

const { db, owner } = await testDatabase();
const product = verifyingProduct({ db, files: testFiles() });
const now = new Date("2026-11-21T12:00:00Z");
const grace = await createTestOperator(db, { role: "verifier" });
const alan = await createTestOperator(db, { role: "verifier" });

async function submitted(wanted: { country?: string } = {}) {
  const { id: customerId } = await createTestCustomer(db);
  const { submissionId } = await createTestSubmission(product, customerId, { ...wanted, now });
  return { customerId, submissionId };
}

/** As the application's own role, past all of its code. */
function asApplication(sql: string, values: unknown[] = []) {
  return db.$client.query(sql, values);
}

function setState(submissionId: string, state: string) {
  return asApplication(
    `update kyc_submissions set state = $2::text, decided_at = now(),
       valid_until = case when $2::text = 'declined' then null else now() + interval '1 year' end where id = $1`,
    [submissionId, state],
  );
}

/** Writes a review down as if the application was taken over, with an audit row that says what it likes. */
function review(
  submissionId: string,
  wanted: { operator?: typeof grace; as?: string; subject?: string; customerId: string },
) {
  const { operator = grace, as = operator.id, customerId } = wanted;
  const subject = wanted.subject ?? `kyc:${submissionId}`;
  const act = { act: "kyc/approve" as const, subject, customerId, detail: {}, now };
  return actAsOperator(db, operator, act, (tx, auditId) =>
    tx.execute(
      `insert into kyc_reviews (id, submission_id, operator_id, verdict, checklist, act_id, reviewed_at)
       values ('${randomUUID()}', '${submissionId}', '${as}', 'approve', '[]', '${auditId}', now())`,
    ),
  );
}

test("nobody is approved without a verifier's review", async () => {
  const { submissionId } = await submitted();
  await expect(setState(submissionId, "approved")).rejects.toThrow(/An approval needs 1/);
});

test("a high risk is not approved by one verifier, nor by the same one twice", async () => {
  const { submissionId, customerId } = await submitted({ country: "KP" });
  await review(submissionId, { customerId });
  await expect(review(submissionId, { customerId })).rejects.toMatchObject({
    cause: { constraint: "one_review_per_verifier" },
  });
  await expect(setState(submissionId, "approved")).rejects.toThrow(/An approval needs 2/);
  await review(submissionId, { customerId, operator: alan });
  await expect(setState(submissionId, "approved")).resolves.toBeDefined();
});

test("nobody reviews in a colleague's name, or by an act on somebody else", async () => {
  const { submissionId, customerId } = await submitted({ country: "KP" });
  const other = await submitted();
  for (const wanted of [
    { customerId, as: alan.id },
    { customerId, subject: `kyc:${other.submissionId}` },
    { customerId: other.customerId },
  ]) {
    await expect(review(submissionId, wanted)).rejects.toMatchObject({
      cause: { constraint: "kyc_reviews_are_staff_acts" },
    });
  }
});

test("a second review, once asked for, is not taken back, and not asked for without a staff act", async () => {
  const { submissionId } = await submitted({ country: "KP" });
  const takeBack = "update kyc_submissions set second_review_reason = null where id = $1";
  await expect(asApplication(takeBack, [submissionId])).rejects.toThrow(/never taken back/);
  const other = await submitted();
  const ask = "update kyc_submissions set second_review_reason = 'x' where id = $1";
  await expect(asApplication(ask, [other.submissionId])).rejects.toThrow(/by a staff act/);
});

test("nobody is declined without a reason", async () => {
  const { submissionId } = await submitted();
  await expect(setState(submissionId, "declined")).rejects.toThrow(/Who declines says why/);
});

test("a decision stands, and what was submitted is never rewritten", async () => {
  const { submissionId } = await submitted();
  await viewTestDocuments(product, grace, submissionId, now);
  await approveKyc(product, grace, { submissionId, checklist: allYes() }, now);
  for (const state of ["submitted", "declined"]) {
    await expect(setState(submissionId, state)).rejects.toThrow();
  }
  const longer = "update kyc_submissions set valid_until = now() where id = $1";
  await expect(asApplication(longer, [submissionId])).rejects.toThrow(/never rewritten/);
  const rename = "update kyc_submissions set legal_name = 'Eve' where id = $1";
  await expect(asApplication(rename, [submissionId])).rejects.toThrow(/permission denied/);
  await expect(owner.query(rename, [submissionId])).rejects.toThrow(/never rewritten/);
});

test("nobody under age, of the United States, or of another country than stated, is submitted", async () => {
  const { customerId, submissionId } = await submitted();
  const copy = (change: string) =>
    owner.query(
      `insert into kyc_submissions (id, customer_id, legal_name, date_of_birth, country, address_line, city,
         identity_kind, second_proof, submitted_at, state)
       select gen_random_uuid(), customer_id, legal_name, ${change}, address_line, city, identity_kind, second_proof,
         submitted_at, 'submitted' from kyc_submissions where id = $1`,
      [submissionId],
    );
  await expect(copy("date '2010-01-01', country")).rejects.toThrow(/only_adults_are_verified/);
  await expect(copy("date_of_birth, 'FR'")).rejects.toThrow(/stated last/);
  const us = { customerId, country: "US", ipAddress: "192.0.2.1", userAgent: null };
  await expect(stateResidence(db, us, now)).rejects.toThrow("kyc/under-review");
  await owner.query(
    "insert into residence_statements values (gen_random_uuid(), $1, 'US', now() + interval '1 day')",
    [customerId],
  );
  await expect(copy("date_of_birth, 'US'")).rejects.toThrow(
    /nobody_is_verified_in_the_united_states/,
  );
});

test("documents that a verifier waits to see are not erased, and erased ones do not come back", async () => {
  const { customerId } = await submitted();
  const erase = `update kyc_documents
     set erasing_at = now(), key_id = null, wrapped_key = null, original_name = '' where customer_id = $1`;
  await expect(asApplication(erase, [customerId])).rejects.toThrow(/is kept/);
  const other = await createTestCustomer(db);
  await uploadTestDocument(product, other.id, "selfie", now);
  await asApplication(erase, [other.id]);
  const bringBack = `update kyc_documents
     set erasing_at = null, key_id = 'k', wrapped_key = decode(repeat('00', 60), 'hex') where customer_id = $1`;
  await expect(asApplication(bringBack, [other.id])).rejects.toThrow(/does not come back/);
});

test("a customer submits nobody else's documents", async () => {
  const { submissionId, customerId } = await submitted();
  const other = await createTestCustomer(db);
  const documentId = await uploadTestDocument(product, other.id, "identity-front", now);
  for (const whose of [customerId, other.id]) {
    const attach = "insert into kyc_submission_documents values ($1, $2, $3)";
    await expect(asApplication(attach, [submissionId, documentId, whose])).rejects.toThrow(
      /documents_are/,
    );
  }
});

test("the application deletes nothing of it", async () => {
  for (const table of [
    "residence_statements",
    "kyc_documents",
    "kyc_submissions",
    "kyc_submission_documents",
    "kyc_reviews",
    "kyc_decline_reasons",
  ]) {
    await expect(asApplication(`delete from ${table}`), table).rejects.toThrow(/permission denied/);
  }
  await expect(asApplication("update residence_statements set country = 'DE'")).rejects.toThrow(
    /permission denied/,
  );
});
