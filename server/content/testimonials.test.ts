import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { countWork } from "#tests/factories/count-work.ts";
import { createTestCustomer, testSite } from "#tests/factories/customer.ts";
import { createTestContract, createTestFleet, createTestPlan } from "#tests/factories/mining.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import {
  agreeToTestimonial,
  declineTestimonial,
  revokeTestimonial,
  type WordsToShow,
} from "./agree-to-testimonial.ts";
import { findOwnTestimonial } from "./find-own-testimonial.ts";
import { inviteTestimonial } from "./invite-testimonial.ts";
import { listTestimonials } from "./list-testimonials.ts";
import { findTestimonialForConsole } from "./list-testimonials-for-console.ts";
import {
  publishTestimonial,
  unpublishTestimonial,
  withdrawInvitation,
} from "./publish-testimonial.ts";

const { db, owner } = await testDatabase();
const grace = await createTestOperator(db);
const now = new Date("2026-11-21T12:00:00Z");
const words: WordsToShow = {
  words: "I checked three days against the pool's own page. They matched.",
  nameForm: "first-and-initial",
  role: "Customer since 2026",
  image: "initials",
};
const regtest = { network: "regtest" } as const;

async function someoneInvited() {
  const customer = await createTestCustomer(db);
  const asked = { customerId: customer.id, invitation: "", site: testSite };
  const { testimonialId } = await inviteTestimonial(db, grace, asked, now);
  return { customer, testimonialId };
}

async function someoneAgreed(wanted: Partial<WordsToShow> = {}) {
  const { customer, testimonialId } = await someoneInvited();
  await agreeToTestimonial(db, customer, { ...words, ...wanted }, now);
  const own = await findOwnTestimonial(db, customer.id);
  return { customer, testimonialId, consentId: own?.consentId ?? "" };
}

const publish = (agreed: { testimonialId: string; consentId: string }, at = now) =>
  publishTestimonial(db, grace, agreed, at);

const shownIds = async () => (await listTestimonials(db, regtest)).slides.map(({ id }) => id);

test("a fresh site shows three samples, mainnet none", async () => {
  const fresh = await listTestimonials(db, regtest);
  expect(fresh.areSamples).toBe(true);
  expect(fresh.slides).toHaveLength(3);
  // The slide is marked once, above the words: the mark is not a name too.
  expect(fresh.slides.map(({ name }) => name)).not.toContain("Sample");
  expect(await listTestimonials(db, { network: "mainnet" })).toEqual({
    slides: [],
    areSamples: false,
  });
});

test("from invitation to slide: asked once, agreed, published; then samples are gone for good", async () => {
  const { customer, testimonialId } = await someoneInvited();
  const again = { customerId: customer.id, invitation: "Again?", site: testSite };
  expect((await inviteTestimonial(db, grace, again, now)).testimonialId).toBe(testimonialId);
  const { rows } = await owner.query(
    "select count(*)::int as count from mails where user_id = $1 and template = 'testimonial-invitation'",
    [customer.id],
  );
  expect(rows[0].count).toBe(1);
  await agreeToTestimonial(db, customer, words, now);
  await agreeToTestimonial(db, customer, words, now);
  expect((await listTestimonials(db, regtest)).areSamples).toBe(true);
  const read = await findTestimonialForConsole(db, testimonialId);
  expect(read).toMatchObject({ state: "agreed", shownName: "Ada L." });
  expect(read?.consents).toHaveLength(1);
  await publish({ testimonialId, consentId: read?.consentId ?? "" });
  await publish({ testimonialId, consentId: read?.consentId ?? "" });
  expect(await listTestimonials(db, regtest)).toEqual({
    areSamples: false,
    slides: [
      {
        id: testimonialId,
        name: "Ada L.",
        role: words.role,
        text: words.words,
        image: "initials",
        result: null,
      },
    ],
  });
  await revokeTestimonial(db, customer.id, now);
  expect(await listTestimonials(db, regtest)).toEqual({ slides: [], areSamples: false });
  expect(await findTestimonialForConsole(db, testimonialId)).toMatchObject({ state: "revoked" });
});

test("words written anew take the old slide away until they are published themselves", async () => {
  const agreed = await someoneAgreed();
  await publish(agreed);
  expect(await shownIds()).toContain(agreed.testimonialId);
  const newer = { ...words, words: "Meanwhile one day did not match, and it was explained." };
  await agreeToTestimonial(db, agreed.customer, newer, now);
  expect(await shownIds()).not.toContain(agreed.testimonialId);
  await expect(publish(agreed)).rejects.toMatchObject({ code: "content/not-agreed" });
  const read = await findTestimonialForConsole(db, agreed.testimonialId);
  expect(read?.consents.map(({ endedBy }) => endedBy)).toEqual([null, "rewritten"]);
  await publish({ ...agreed, consentId: read?.consentId ?? "" });
  expect(await shownIds()).toContain(agreed.testimonialId);
});

test("an operator can show only what was agreed to, and PostgreSQL holds everybody to it", async () => {
  const { customer, testimonialId } = await someoneInvited();
  const consentId = randomUUID();
  await expect(publish({ testimonialId, consentId })).rejects.toMatchObject({
    code: "content/not-agreed",
  });
  const agreed = await someoneAgreed();
  await revokeTestimonial(db, agreed.customer.id, now);
  const force = `update testimonials set published_consent_id = $2, published_at = now(),
    published_by_act = invited_by_act where id = $1`;
  await expect(owner.query(force, [agreed.testimonialId, agreed.consentId])).rejects.toThrow(
    "does not agree",
  );
  await expect(owner.query(force, [testimonialId, agreed.consentId])).rejects.toThrow();
  const rewrite = "update testimonial_consents set words = 'I became rich in a week, truly.'";
  await expect(db.$client.query(rewrite)).rejects.toThrow("permission denied");
  expect((await findOwnTestimonial(db, customer.id))?.consentId).toBeNull();
});

test("of a revocation and a publication at once, nothing stays shown", async () => {
  for (let round = 0; round < 5; round += 1) {
    const agreed = await someoneAgreed();
    await Promise.allSettled([publish(agreed), revokeTestimonial(db, agreed.customer.id, now)]);
    expect(await shownIds()).not.toContain(agreed.testimonialId);
  }
});

test("who declines, or whose invitation is withdrawn, is shown no more and can be asked anew", async () => {
  const declining = await someoneAgreed();
  await publish(declining);
  await declineTestimonial(db, declining.customer.id, now);
  const withdrawn = await someoneAgreed();
  await publish(withdrawn);
  await withdrawInvitation(db, grace, withdrawn.testimonialId, now);
  await withdrawInvitation(db, grace, withdrawn.testimonialId, now);
  const shown = await shownIds();
  for (const { testimonialId, customer } of [declining, withdrawn]) {
    expect(shown).not.toContain(testimonialId);
    expect(await findOwnTestimonial(db, customer.id)).toBeNull();
    await expect(agreeToTestimonial(db, customer, words, now)).rejects.toMatchObject({
      code: "content/not-invited",
    });
    const asked = { customerId: customer.id, invitation: "", site: testSite };
    const anew = await inviteTestimonial(db, grace, asked, now);
    expect(anew.testimonialId).not.toBe(testimonialId);
  }
});

test("a slide taken down by an operator does not wait to be read again", async () => {
  const before = (await countWork(db, now)).testimonials;
  const agreed = await someoneAgreed();
  expect((await countWork(db, now)).testimonials).toBe(before + 1);
  await publish(agreed);
  await unpublishTestimonial(db, grace, agreed.testimonialId, now);
  expect(await shownIds()).not.toContain(agreed.testimonialId);
  expect((await countWork(db, now)).testimonials).toBe(before);
  const newer = { ...words, words: "Meanwhile one day did not match, and it was explained." };
  await agreeToTestimonial(db, agreed.customer, newer, now);
  expect((await countWork(db, now)).testimonials).toBe(before + 1);
});

test.each([
  ["too short", "content/words-too-short"],
  ["x".repeat(601), "content/words-too-long"],
])("words of the wrong length are refused", async (text, code) => {
  const { customer } = await someoneInvited();
  const wanted = { ...words, words: text };
  await expect(agreeToTestimonial(db, customer, wanted, now)).rejects.toMatchObject({ code });
});

test("nobody is invited who does not exist, and nobody agrees who was not invited", async () => {
  const asked = { customerId: randomUUID(), invitation: "", site: testSite };
  await expect(inviteTestimonial(db, grace, asked, now)).rejects.toMatchObject({
    code: "content/no-such-customer",
  });
  const customer = await createTestCustomer(db);
  await expect(agreeToTestimonial(db, customer, words, now)).rejects.toMatchObject({
    code: "content/not-invited",
  });
});

// Last in this file: from here on the ledger knows a contract.
test("as soon as a contract is sold, only who has one is shown, with what it has really brought", async () => {
  const before = await someoneAgreed();
  await publish(before);
  const [proven, other] = [await someoneAgreed(), await someoneAgreed()];
  await createTestFleet(db, { ghs: 2_000n, from: "2026-11-01" });
  const { versionId } = await createTestPlan(db, { now });
  const { contractId } = await createTestContract(db, {
    customerId: proven.customer.id,
    versionId,
    now,
  });
  expect(await shownIds()).not.toContain(before.testimonialId);
  await expect(publish(other)).rejects.toMatchObject({ code: "content/no-active-contract" });
  await publish(proven);
  const { slides } = await listTestimonials(db, regtest);
  const result = expect.stringMatching(/^Net loss so far: \$100\.00 of every \$100\.00 paid$/);
  expect(slides).toMatchObject([{ id: proven.testimonialId, result }]);
  // Words that lost their place get it back with a contract that runs.
  await createTestContract(db, { customerId: before.customer.id, versionId, now });
  expect(await shownIds()).not.toContain(before.testimonialId);
  await publish(before);
  await publish(before);
  expect(await shownIds()).toContain(before.testimonialId);
  // Nor is it written by hand, with none or with somebody else's contract.
  const publication = `published_consent_id = '${other.consentId}', published_at = now(), published_by_act = invited_by_act`;
  for (const [set, rule] of [
    [publication, "publications_need_an_active_contract"],
    [`contract_id = '${contractId}'`, "testimonials_are_about_own_contracts"],
  ] as const) {
    const where = `where id = '${other.testimonialId}'`;
    const forged = owner.query(`update testimonials set ${set} ${where}`);
    await expect(forged).rejects.toMatchObject({ constraint: rule });
  }
});
