import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { may, operatorRoles } from "#core/permissions.ts";
import { createTestPlanVersion, testTerms } from "#tests/factories/fleet.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { changeDraft } from "./change-draft.ts";
import { draftPlan } from "./draft-plan.ts";
import { draftVersion } from "./draft-version.ts";
import { findVersion } from "./find-version.ts";
import { listPublishedVersions, listVersions } from "./list-versions.ts";
import { markOfTerms } from "./plan.ts";
import { publishPlan } from "./publish-plan.ts";
import { retirePlan } from "./retire-plan.ts";

const { db, owner } = await testDatabase();
const grace = await createTestOperator(db, {
  role: "treasurer",
  firstName: "Grace",
  lastName: "Hopper",
});
const alan = await createTestOperator(db, {
  role: "approver",
  firstName: "Alan",
  lastName: "Turing",
});
const olga = await createTestOperator(db);
const now = new Date("2026-11-21T06:00:00Z");
const code = (text: string) => ({ code: `plans/${text}` });
const constraint = (name: string) => ({ constraint: name });
const draft = () => createTestPlanVersion(db, grace, { publish: false, now });

test("a plan begins once, with the sums of what it is made of", async () => {
  const planId = randomUUID();
  const wanted = { planId, slug: "start-360", terms: testTerms };
  const [one, same] = await Promise.all([
    draftPlan(db, grace, wanted, now),
    draftPlan(db, grace, wanted, now),
  ]);
  expect(one).toEqual(same);
  expect(await findVersion(db, one.versionId)).toMatchObject({
    slug: "start-360",
    version: 1,
    state: "draft",
    priceUsdCents: 1_800n,
    maintenanceUsdMicros: 52_000n,
    draftedBy: "Grace Hopper",
    publishedBy: null,
  });
  const otherwise = { ...wanted, terms: { ...testTerms, termDays: 90 } };
  await expect(draftPlan(db, grace, otherwise, now)).rejects.toMatchObject({
    code: "platform/sent-otherwise",
  });
  // A colleague changes the draft: the first form is still the one that began it.
  const seen = markOfTerms(testTerms);
  const terms = { ...testTerms, name: "Start, a year" };
  await changeDraft(db, olga, { versionId: one.versionId, seen, terms }, now);
  expect(await draftPlan(db, grace, wanted, now)).toEqual(one);
  const twin = { ...wanted, planId: randomUUID() };
  await expect(draftPlan(db, grace, twin, now)).rejects.toMatchObject(code("slug-taken"));
});

test.each([
  ["a plan without a name", { name: " " }, "unnamed"],
  [
    "a price of nothing",
    { machinesUsdCents: 0n, setupUsdCents: 0n, marginUsdCents: 0n },
    "implausible-price",
  ],
  ["a margin that eats the price", { marginUsdCents: -1_500n }, "implausible-price"],
  ["a term of ten years", { termDays: 3650 }, "implausible-term"],
  [
    "maintenance below nothing",
    { maintenanceMarginUsdMicros: -50_000n },
    "implausible-maintenance",
  ],
  ["hashrate of nothing", { unitGhs: 0n }, "implausible-hashrate"],
])("refuses %s", async (_, terms, refusal) => {
  const tried = createTestPlanVersion(db, grace, { terms, now });
  await expect(tried).rejects.toMatchObject(code(refusal));
});

test("who saves a draft that a colleague changed is told, and who publishes it too", async () => {
  const { versionId, terms } = await draft();
  const seen = markOfTerms(terms);
  const dearer = { ...terms, marginUsdCents: 400n };
  await changeDraft(db, grace, { versionId, terms: dearer, seen }, now);
  const other = { versionId, terms: { ...terms, setupUsdCents: 1n }, seen };
  await expect(changeDraft(db, olga, other, now)).rejects.toMatchObject(code("changed-meanwhile"));
  await expect(publishPlan(db, alan, { versionId, seen }, now)).rejects.toMatchObject(
    code("changed-meanwhile"),
  );
  await publishPlan(db, alan, { versionId, seen: markOfTerms(dearer) }, now);
  await publishPlan(db, alan, { versionId, seen }, now);
  const published = await listPublishedVersions(db);
  expect(published.find(({ id }) => id === versionId)?.priceUsdCents).toBe(1_900n);
});

test("the next version takes the place of the one before, when it is published and not earlier", async () => {
  const { planId, versionId } = await createTestPlanVersion(db, olga, { now });
  const [second, same] = await Promise.all([
    draftVersion(db, grace, planId, now),
    draftVersion(db, grace, planId, now),
  ]);
  expect(second).toEqual(same);
  const states = async () =>
    (await listVersions(db)).filter((each) => each.planId === planId).map(({ state }) => state);
  expect(await states()).toEqual(["draft", "published"]);
  const changed = { versionId, terms: testTerms, seen: markOfTerms(testTerms) };
  await expect(changeDraft(db, grace, changed, now)).rejects.toMatchObject(code("not-a-draft"));
  const seen = markOfTerms((await findVersion(db, second.versionId)) ?? testTerms);
  await publishPlan(db, alan, { versionId: second.versionId, seen }, now);
  expect(await states()).toEqual(["published", "retired"]);
  const first = { versionId, seen };
  await expect(publishPlan(db, alan, first, now)).rejects.toMatchObject(code("already-retired"));
  await retirePlan(db, alan, second.versionId, now);
  await retirePlan(db, alan, second.versionId, now);
  expect(await states()).toEqual(["retired", "retired"]);
});

test("who drafts does not publish, and who publishes does not draft", async () => {
  const { versionId, terms } = await draft();
  const publish = publishPlan(db, grace, { versionId, seen: markOfTerms(terms) }, now);
  await expect(publish).rejects.toMatchObject({ code: "identity/not-permitted" });
  await expect(createTestPlanVersion(db, alan, { now })).rejects.toMatchObject({
    code: "identity/not-permitted",
  });
});

describe("the database refuses, whoever asks", () => {
  test.each([
    [
      "another price",
      "price_usd_cents = price_usd_cents + 1, margin_usd_cents = margin_usd_cents + 1",
    ],
    [
      "another fee",
      "maintenance_usd_micros = maintenance_usd_micros + 1, energy_usd_micros = energy_usd_micros + 1",
    ],
    ["another term", "term_days = 1"],
    ["another rule of termination", "termination = 'forfeit'"],
  ])("%s for a published plan", async (_, change) => {
    const { versionId } = await createTestPlanVersion(db, olga, { now });
    const rewrite = owner.query(`update plan_versions set ${change} where id = $1`, [versionId]);
    await expect(rewrite).rejects.toMatchObject(constraint("published_plans_are_never_rewritten"));
  });

  test("a price that its parts do not make", async () => {
    const { versionId } = await draft();
    const tried = owner.query("update plan_versions set price_usd_cents = 1 where id = $1", [
      versionId,
    ]);
    await expect(tried).rejects.toMatchObject(constraint("prices_are_the_sum_of_their_parts"));
  });

  test("publishing without the act of staff on that very version", async () => {
    const { versionId } = await draft();
    const other = await createTestPlanVersion(db, olga, { now });
    const { rows } = await owner.query(
      "select published_action_id as act from plan_versions where id = $1",
      [other.versionId],
    );
    const tried = db.$client.query(
      "update plan_versions set state = 'published', published_at = now(), published_action_id = $2 where id = $1",
      [versionId, rows[0].act],
    );
    await expect(tried).rejects.toMatchObject(constraint("plans_are_published_by_staff_acts"));
  });

  test("two published versions of a plan, going back to a draft, and deleting one", async () => {
    const { versionId } = await createTestPlanVersion(db, olga, { now });
    const back = owner.query(
      "update plan_versions set state = 'draft', published_at = null, published_action_id = null where id = $1",
      [versionId],
    );
    await expect(back).rejects.toMatchObject(constraint("plans_go_one_way"));
    const gone = owner.query("delete from plan_versions where id = $1", [versionId]);
    await expect(gone).rejects.toMatchObject(constraint("plan_versions_are_kept"));
  });
});

describe("a second person", () => {
  async function twoPeople() {
    const { db, owner } = await testDatabase();
    const ada = await createTestOperator(db, { canAct: true });
    const mine = () => createTestPlanVersion(db, ada, { publish: false, now });
    const publish = (by: typeof ada, plan: Awaited<ReturnType<typeof mine>>, terms = plan.terms) =>
      publishPlan(db, by, { versionId: plan.versionId, seen: markOfTerms(terms) }, now);
    return { db, owner, ada, mine, publish };
  }

  test("is not needed while nobody else could publish, and the audit log says that it was one", async () => {
    const { db, owner, ada, mine, publish } = await twoPeople();
    await createTestOperator(db, { role: "approver" });
    await createTestOperator(db, { role: "treasurer", canAct: true });
    const plan = await mine();
    await publish(ada, plan);
    const { rows } = await owner.query(
      "select detail->'alone' as alone from audit_log where act = 'plans/publish' and subject = $1",
      [`plan-version:${plan.versionId}`],
    );
    expect(rows).toEqual([{ alone: true }]);
  });

  test("is one of those whose role publishes plans and confirms payouts", async () => {
    const { db, owner, ada } = await twoPeople();
    const ben = await createTestOperator(db, { canAct: true });
    await owner.query("alter table operators disable trigger staff_are_changed_by_owners");
    for (const role of operatorRoles) {
      await owner.query("update operators set role = $1 where id = $2", [role, ben.id]);
      const { rows } = await owner.query("select another_person_decides($1) as decides", [ada.id]);
      expect(rows, role).toEqual([{ decides: may(role, "plans/publish") }]);
      expect(may(role, "payouts/confirm")).toBe(may(role, "plans/publish"));
    }
  });

  test("publishes what the first wrote, whoever else wrote in it before, also against who writes SQL", async () => {
    const { db, owner, ada, mine, publish } = await twoPeople();
    const plan = await mine();
    const ben = await createTestOperator(db, { role: "approver", canAct: true });
    await expect(publish(ada, plan)).rejects.toMatchObject(code("own-draft"));
    const { versionId } = plan;
    await expect(
      owner
        .query(
          `with act as (insert into audit_log (id, act, operator_id, subject, occurred_at)
           values (uuidv7(), 'plans/publish', $1, $2, now()) returning id)
         select id from act`,
          [ada.id, `plan-version:${versionId}`],
        )
        .then(({ rows }) =>
          db.$client.query(
            "update plan_versions set state = 'published', published_at = now(), published_action_id = $1 where id = $2",
            [rows[0].id, versionId],
          ),
        ),
    ).rejects.toMatchObject(constraint("plans_are_published_by_another_person"));
    const olga = await createTestOperator(db, { canAct: true });
    const dearer = { ...plan.terms, marginUsdCents: 400n };
    const seen = markOfTerms(plan.terms);
    await changeDraft(db, olga, { versionId, terms: dearer, seen }, now);
    await expect(publish(olga, plan, dearer)).rejects.toMatchObject(code("own-draft"));
    await publish(ben, plan, dearer);
    expect((await findVersion(db, versionId))?.state).toBe("published");
  });
});
