import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sql } from "#server/platform/sql.ts";
import { createTestPlanVersion } from "#tests/factories/fleet.ts";
import { actOnServer, createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import { announceMaintenance, earliestChange } from "./announce-maintenance.ts";
import { maintenanceOn } from "./list-maintenance-changes.ts";
import { withdrawMaintenance } from "./withdraw-maintenance.ts";

const { db, owner } = await testDatabase();
const olga = await createTestOperator(db);
const now = new Date("2026-11-21T06:00:00Z");
const code = (text: string) => ({ code: `contracts/${text}` });
const change = (versionId: string, wanted = {}) => ({
  changeId: randomUUID(),
  versionId,
  effectiveFrom: "2026-11-29",
  usdMicros: 61_000n,
  reason: "Energy costs more from December on",
  ...wanted,
});

test.each([
  ["2026-11-21T06:00:00Z", "2026-11-29"],
  ["2026-11-22T00:00:00Z", "2026-11-29"],
  ["2026-11-22T00:00:01Z", "2026-11-30"],
  ["2028-02-22T12:00:00Z", "2028-03-01"],
])("announced at %s, a change begins on %s at the earliest", (at, day) => {
  expect(earliestChange(new Date(at))).toBe(day);
});

test("a change counts from its day on, is announced once, and is taken back before it", async () => {
  const { versionId } = await createTestPlanVersion(db, olga, { now });
  const wanted = change(versionId);
  await Promise.all([
    announceMaintenance(db, olga, wanted, now),
    announceMaintenance(db, olga, wanted, now),
  ]);
  const otherwise = announceMaintenance(db, olga, { ...wanted, reason: "Another" }, now);
  await expect(otherwise).rejects.toMatchObject({ code: "platform/sent-otherwise" });
  const fees = async () => [
    await maintenanceOn(db, versionId, "2026-11-28"),
    await maintenanceOn(db, versionId, "2026-11-29"),
  ];
  expect(await fees()).toEqual([52_000n, 61_000n]);
  const late = new Date("2026-11-29T00:00:00Z");
  await expect(withdrawMaintenance(db, olga, wanted.changeId, late)).rejects.toMatchObject(
    code("change-in-force"),
  );
  await withdrawMaintenance(db, olga, wanted.changeId, now);
  await withdrawMaintenance(db, olga, wanted.changeId, now);
  expect(await fees()).toEqual([52_000n, 52_000n]);
  await expect(announceMaintenance(db, olga, wanted, now)).rejects.toMatchObject(
    code("change-cancelled"),
  );
  await announceMaintenance(db, olga, change(versionId, { usdMicros: 60_000n }), now);
  expect(await fees()).toEqual([52_000n, 60_000n]);
});

test.each([
  ["a day earlier than seven days from now", { effectiveFrom: "2026-11-28" }, "too-early"],
  ["what it costs already", { usdMicros: 52_000n }, "nothing-to-change"],
  ["no reason", { reason: " " }, "reason-missing"],
  ["ten dollars and more", { usdMicros: 10_000_001n }, "implausible-maintenance"],
])("refuses %s", async (_, wrong, refusal) => {
  const { versionId } = await createTestPlanVersion(db, olga, { now });
  await expect(announceMaintenance(db, olga, change(versionId, wrong), now)).rejects.toMatchObject(
    code(refusal),
  );
});

test("a draft's fee is not announced, and one day has one change", async () => {
  const draft = await createTestPlanVersion(db, olga, { publish: false, now });
  await expect(announceMaintenance(db, olga, change(draft.versionId), now)).rejects.toMatchObject(
    code("no-such-version"),
  );
  const { versionId } = await createTestPlanVersion(db, olga, { now });
  await announceMaintenance(db, olga, change(versionId), now);
  const twice = announceMaintenance(db, olga, change(versionId, { usdMicros: 1n }), now);
  await expect(twice).rejects.toMatchObject(code("day-taken"));
});

test("PostgreSQL refuses an announcement at short notice, and another one in its place", async () => {
  const { versionId } = await createTestPlanVersion(db, olga, { now });
  const act = "contracts/announce-maintenance";
  const late = db.$client.query(
    `insert into maintenance_changes (id, plan_version_id, effective_from, usd_micros, reason, announced_at, action_id)
     values (gen_random_uuid(), $1, '2026-11-28', 1, 'x', '2026-11-21T00:00:01Z', $2)`,
    [versionId, await actOnServer(owner, act, `plan-version:${versionId}`)],
  );
  await expect(late).rejects.toMatchObject({
    constraint: "changes_are_announced_seven_days_ahead",
  });
  const wanted = change(versionId);
  await announceMaintenance(db, olga, wanted, now);
  const dearer = owner.query("update maintenance_changes set usd_micros = 9 where id = $1", [
    wanted.changeId,
  ]);
  await expect(dearer).rejects.toMatchObject({
    constraint: "announced_changes_are_never_rewritten",
  });
});

test("where a colleague could announce it, one person changes a version's fee by at most half, and once in four weeks", async () => {
  const alan = await createTestOperator(db, { role: "approver", canAct: true });
  const grace = await createTestOperator(db, { role: "owner", canAct: true });
  const [{ versionId }, other] = [
    await createTestPlanVersion(db, olga, { now }),
    await createTestPlanVersion(db, olga, { now }),
  ];
  const announce = (by: typeof alan, usdMicros: bigint, effectiveFrom = "2026-11-29") =>
    announceMaintenance(db, by, change(versionId, { usdMicros, effectiveFrom }), now);
  const needsTwo = (done: Promise<void>) =>
    expect(done).rejects.toMatchObject(code("second-person-needed"));
  await needsTwo(announce(alan, 78_001n));
  await needsTwo(announce(alan, 25_999n));
  await announce(alan, 78_000n);
  await needsTwo(announce(alan, 79_000n, "2026-11-30"));
  // Not by hand either, under any time that one types.
  const act = { act: "contracts/announce-maintenance" as const, detail: {}, now };
  const byHand = (madeAt: string) =>
    actAsOperator(db, alan, { ...act, subject: `plan-version:${versionId}` }, (tx, actionId) =>
      tx.execute(sql`
        insert into maintenance_changes (id, plan_version_id, effective_from, usd_micros, reason, announced_at, made_at, action_id)
        values (gen_random_uuid(), ${versionId}, '2027-03-01', 79000, 'x', '2027-01-21', ${madeAt}, ${actionId})`),
    );
  await expect(byHand("2020-01-01")).rejects.toMatchObject({
    cause: { constraint: "changes_are_made_now" },
  });
  await expect(byHand("now")).rejects.toMatchObject({
    cause: { constraint: "one_person_changes_a_fee_by_half" },
  });
  // Of another version, and by a colleague, it is another change.
  await announceMaintenance(db, alan, change(other.versionId, { usdMicros: 60_000n }), now);
  await announce(grace, 117_000n, "2026-11-30");
});

test("what lowers a fee stands within seven days, and what is announced is taken back the latest first", async () => {
  const { versionId } = await createTestPlanVersion(db, olga, { now });
  const lower = change(versionId, { usdMicros: 40_000n, effectiveFrom: "2026-12-01" });
  const higher = change(versionId, { usdMicros: 45_000n, effectiveFrom: "2026-12-05" });
  const bea = await createTestOperator(db, { role: "owner", canAct: true });
  await announceMaintenance(db, olga, lower, now);
  await announceMaintenance(db, bea, higher, now);
  const takeBack = ({ changeId }: { changeId: string }, on: string) =>
    withdrawMaintenance(db, olga, changeId, new Date(`${on}T00:00:00Z`));
  await expect(takeBack(lower, "2026-11-24")).rejects.toMatchObject(code("change-below-another"));
  await takeBack(higher, "2026-12-04");
  await expect(takeBack(lower, "2026-11-25")).rejects.toMatchObject(code("short-notice"));
  await takeBack(lower, "2026-11-24");
  const reason = `Pay to 0x${"aB1".repeat(13)}c`;
  await expect(
    announceMaintenance(db, bea, { ...higher, changeId: randomUUID(), reason }, now),
  ).rejects.toMatchObject(code("reason-names-address"));
});

test("a fee of a cent is free to end", async () => {
  const alan = await createTestOperator(db, { role: "approver", canAct: true });
  const { versionId } = await createTestPlanVersion(db, olga, { now });
  await announceMaintenance(db, olga, change(versionId, { usdMicros: 30_000n }), now);
  const next = (usdMicros: bigint, effectiveFrom: string) =>
    announceMaintenance(db, alan, change(versionId, { usdMicros, effectiveFrom }), now);
  await expect(next(0n, "2026-12-01")).rejects.toMatchObject(code("second-person-needed"));
  await next(15_000n, "2026-12-01");
  const grace = await createTestOperator(db, { role: "approver", canAct: true });
  const last = { usdMicros: 10_000n, effectiveFrom: "2026-12-02" };
  await announceMaintenance(db, grace, change(versionId, last), now);
  const eve = await createTestOperator(db, { role: "owner", canAct: true });
  const none = { usdMicros: 0n, effectiveFrom: "2026-12-03" };
  await announceMaintenance(db, eve, change(versionId, none), now);
  expect(await maintenanceOn(db, versionId, "2026-12-03")).toBe(0n);
});
