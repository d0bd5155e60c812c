import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createTestDelivery } from "#tests/factories/fleet.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { correctOutage } from "./correct-outage.ts";
import { endOutage } from "./end-outage.ts";
import { listOutageVersions } from "./list-outage-versions.ts";
import { listOutagesBetween } from "./list-outages.ts";
import { listOutagesKnown } from "./list-outages-known.ts";
import { recordOutage } from "./record-outage.ts";
import { withdrawOutage } from "./withdraw-outage.ts";

const { db, owner } = await testDatabase();
const grace = await createTestOperator(db, { firstName: "Grace", lastName: "Hopper" });
const now = new Date("2026-11-21T06:00:00Z");
const ths = 1_000n;
const code = (text: string) => ({ code: `fleet/${text}` });
const { siteId } = await createTestDelivery(db, grace, { machines: 10, now });

test("an outage that was noted wrongly is corrected, and a receipt keeps what it said", async () => {
  const north = await createTestDelivery(db, grace, { machines: 10, now });
  const at = (time: string) => new Date(`2026-${time}:00Z`);
  const words = { ...north, startedAt: at("10-05T03:00"), lostGhs: 500n * ths, reason: "A fuse" };
  const outageId = randomUUID();
  await recordOutage(db, grace, { ...words, outageId }, at("10-05T06:00"));
  const later = { ...words, endedAt: at("10-06T12:00"), reason: "A transformer" };
  const mark = { outageId, correctionId: randomUUID(), seenEnd: null };
  const fix = { ...later, ...mark, why: "The wrong day" };
  const corrected = { ...fix, startedAt: at("10-06T03:00") };
  const same = { ...fix, ...words, endedAt: null };
  const correct = (wanted: typeof corrected | typeof same, who = grace) =>
    correctOutage(db, who, wanted, at("10-09T08:00"));
  await expect(correct(same)).rejects.toMatchObject(code("nothing-to-correct"));
  await expect(correct({ ...corrected, why: " " })).rejects.toMatchObject(
    code("correction-unexplained"),
  );
  const never = { ...corrected, endedAt: at("10-06T02:00") };
  await expect(correct(never)).rejects.toMatchObject(code("outage-ends-before-it-starts"));
  await expect(correct({ ...corrected, siteId })).rejects.toMatchObject(code("no-such-delivery"));
  const ida = await createTestOperator(db, { role: "auditor" });
  await expect(correct(corrected, ida)).rejects.toMatchObject({ code: "identity/not-permitted" });
  // Two at once with other words: one of them stands. Who sends his again has done it.
  const rival = { ...corrected, correctionId: randomUUID(), reason: "A breaker" };
  const outcomes = await Promise.allSettled([correct(corrected), correct(rival)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const first = outcomes[0].status === "fulfilled" ? corrected : rival;
  await correct(first);
  await expect(correct(first === rival ? corrected : rival)).rejects.toMatchObject(
    code("outage-changed-meanwhile"),
  );
  const end = endOutage(db, grace, { outageId, endedAt: at("10-07T00:00") }, now);
  await expect(end).rejects.toMatchObject(code("outage-changed-meanwhile"));
  // Customers read what is right; whose day was posted before, what was known, and what became of it.
  const between = (day: string) => listOutagesBetween(db, { from: day, until: day });
  expect(await between("2026-10-05")).toEqual([]);
  expect(await between("2026-10-06")).toMatchObject([{ reason: first.reason }]);
  const known = (day: string, postedAt: Date | null) => listOutagesKnown(db, { day, postedAt });
  const since = { what: "corrected", at: at("10-09T08:00"), why: "The wrong day" };
  expect(await known("2026-10-05", at("10-06T00:10"))).toMatchObject([
    { reason: "A fuse", since: { ...since, startedAt: at("10-06T03:00"), reason: first.reason } },
  ]);
  expect(await known("2026-10-05", at("10-10T00:10"))).toEqual([]);
  expect(await known("2026-10-06", null)).toMatchObject([{ reason: first.reason, since: null }]);
  // What never was is taken back, once, and what it said stays.
  const nothing = { outageId: first.correctionId, why: "It was another site" };
  await withdrawOutage(db, grace, nothing, at("10-11T08:00"));
  await withdrawOutage(db, grace, { ...nothing, why: "Again" }, at("10-12T08:00"));
  expect(await between("2026-10-06")).toEqual([]);
  expect(await known("2026-10-06", null)).toEqual([]);
  expect(await known("2026-10-06", at("10-10T00:10"))).toMatchObject([
    { since: { what: "withdrawn", at: at("10-11T08:00"), why: "It was another site" } },
  ]);
  for (const id of [outageId, first.correctionId]) {
    expect(await listOutageVersions(db, id)).toMatchObject([
      { id: outageId, reason: "A fuse", by: "Grace Hopper", correctionReason: null },
      { corrects: outageId, correctionReason: "The wrong day", withdrawnBy: "Grace Hopper" },
    ]);
  }
  const more = { ...fix, outageId: first.correctionId, correctionId: randomUUID() };
  await expect(correct(more)).rejects.toMatchObject(code("outage-changed-meanwhile"));
});

test("a receipt says what was noted of its day, or ended before it, after it was posted", async () => {
  const hall = await createTestDelivery(db, grace, { machines: 10, now });
  const at = (time: string) => new Date(`2026-${time}:00Z`);
  const words = { ...hall, startedAt: at("09-05T03:00"), lostGhs: 500n * ths, reason: "A fuse" };
  const outageId = randomUUID();
  await recordOutage(db, grace, { ...words, outageId }, at("09-07T06:00"));
  await endOutage(db, grace, { outageId, endedAt: at("09-06T05:00") }, at("09-09T06:00"));
  const known = (day: string, postedAt: Date) => listOutagesKnown(db, { day, postedAt });
  expect(await known("2026-09-05", at("09-06T00:10"))).toMatchObject([
    { reason: "A fuse", notedAt: at("09-07T06:00"), since: null },
  ]);
  expect(await known("2026-09-07", at("09-08T00:10"))).toMatchObject([
    { since: { what: "ended", at: at("09-09T06:00"), endedAt: at("09-06T05:00") } },
  ]);
  expect(await known("2026-09-06", at("09-08T00:10"))).toMatchObject([
    { notedAt: null, since: null },
  ]);
  expect(await known("2026-09-07", at("09-10T00:10"))).toEqual([]);
  // Between the posting and the correction its readers saw the first words.
  const correctionId = randomUUID();
  const fix = { ...words, outageId, correctionId, endedAt: at("09-06T05:00"), reason: "A breaker" };
  const seenEnd = fix.endedAt;
  await correctOutage(db, grace, { ...fix, seenEnd, why: "Seen on site" }, at("09-10T06:00"));
  expect(await known("2026-09-05", at("09-06T00:10"))).toMatchObject([
    { reason: "A fuse", notedAt: at("09-07T06:00"), since: { reason: "A breaker" } },
  ]);
  // What is moved to a day by a correction is new there.
  const again = {
    ...fix,
    outageId: correctionId,
    correctionId: randomUUID(),
    seenEnd,
    why: "Began earlier",
  };
  await correctOutage(db, grace, { ...again, startedAt: at("09-04T20:00") }, at("09-11T06:00"));
  expect(await known("2026-09-04", at("09-05T00:10"))).toMatchObject([
    { reason: "A breaker", notedAt: at("09-11T06:00"), since: null },
  ]);
});

test.each([
  ["withdrawn_at = now(), withdrawal_reason = 'x', withdrawal_action_id = action_id", "withdrawn"],
  ["reason = 'Nothing happened', ended_at = now(), end_action_id = action_id", "end_once"],
])("PostgreSQL itself lets nobody say of an outage: %s", async (change, constraint) => {
  const hall = await createTestDelivery(db, grace, { machines: 10, now });
  const words = { ...hall, startedAt: now, lostGhs: 1n, reason: "A fuse" };
  const outageId = randomUUID();
  await recordOutage(db, grace, { ...words, outageId }, now);
  const rewrite = owner.query(`update outages set ${change} where id = $1`, [outageId]);
  await expect(rewrite).rejects.toMatchObject({
    constraint: expect.stringContaining(constraint),
  });
  const forged = owner.query(
    `insert into outages (id, site_id, started_at, lost_ghs, reason, created_at, action_id, corrects, correction_reason)
     select gen_random_uuid(), site_id, started_at, 1, 'x', created_at, action_id, id, 'x' from outages where id = $1`,
    [outageId],
  );
  await expect(forged).rejects.toMatchObject({ constraint: "outages_are_corrected_by_staff_acts" });
});

test("an end that a colleague noted meanwhile is neither lost by a correction nor by another end", async () => {
  const hall = await createTestDelivery(db, grace, { machines: 10, now });
  const [start, end, later] = [3, 5, 6].map((hour) => new Date(Date.UTC(2026, 7, 5, hour)));
  if (!start || !end || !later) throw new Error("three hours");
  const words = { ...hall, startedAt: start, lostGhs: 500n * ths, reason: "A fuse" };
  const outageId = randomUUID();
  await recordOutage(db, grace, { ...words, outageId }, now);
  await endOutage(db, grace, { outageId, endedAt: end }, now);
  await endOutage(db, grace, { outageId, endedAt: end }, now);
  const other = endOutage(db, grace, { outageId, endedAt: later }, now);
  await expect(other).rejects.toMatchObject(code("outage-changed-meanwhile"));
  const fix = { ...words, endedAt: null, reason: "A breaker", outageId, why: "Seen on site" };
  const correct = (seenEnd: Date | null) =>
    correctOutage(db, grace, { ...fix, correctionId: randomUUID(), seenEnd }, now);
  await expect(correct(null)).rejects.toMatchObject(code("outage-changed-meanwhile"));
  expect(await listOutageVersions(db, outageId)).toMatchObject([{ endedAt: end }]);
  // Who has seen it may say that it did not run again after all.
  await correct(end);
  expect(await listOutageVersions(db, outageId)).toMatchObject([{}, { endedAt: null }]);
});
