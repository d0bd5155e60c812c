import { expect, test } from "vitest";
import { emptyCompany } from "#server/content/content.ts";
import { saveContent } from "#server/content/save-content.ts";
import { setEnergyPrice } from "#server/fleet/set-energy-price.ts";
import { openTestWallet } from "#tests/factories/chain.ts";
import { createTestDelivery, createTestPlanVersion } from "#tests/factories/fleet.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createTestPool } from "#tests/factories/payout.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { listSetupSteps } from "./list-setup-steps.ts";

const { db, owner } = await testDatabase();
const now = new Date();
const fresh = { siteName: "Assay", smtpUrl: null, bitcoinChain: null, network: "regtest" } as const;
const grace = await createTestOperator(db, { canAct: true });

const done = async (settings: Parameters<typeof listSetupSteps>[1] = fresh) =>
  (await listSetupSteps(db, settings, now)).filter(({ isDone }) => isDone).map(({ step }) => step);

test("each step is ticked by what is there, and by nothing else", async () => {
  expect(await done()).toEqual([]);
  const { siteId } = await createTestDelivery(db, grace, { now });
  expect(await done()).toEqual(["site", "machines"]);
  const bill = { siteId, effectiveFrom: "2026-01-01", usdMicrosPerKwh: 50_000n, evidence: "Bill" };
  await setEnergyPrice(db, grace, bill, now);
  await createTestPool(db, grace, { countsFrom: "2026-11-01" });
  await createTestPlanVersion(db, grace, { publish: false });
  expect(await done()).toEqual(["site", "energy", "machines", "pool"]);
  await createTestPlanVersion(db, grace);
  await createTestPrice(db, { asset: "BTC", usdE8: 9_000_000_000_000n, observedAt: now });
  await openTestWallet(db, grace);
  expect(await done()).toEqual(["wallet", "prices", "site", "energy", "machines", "pool", "plan"]);
});

test("a name alone is no imprint, and one person alone is no second", async () => {
  const named = { ...fresh, siteName: "Nordhash" };
  const company = { kind: "company", slug: "company", state: "published" } as const;
  const name = { ...emptyCompany, name: "Nordhash AB" };
  await saveContent(db, grace, { ...company, newId: null, seenVersion: 0, body: name }, now);
  expect(await done(named)).not.toContain("identity");
  const whole = { ...name, postalAddress: "1 Example Street\nNowhere" };
  await saveContent(db, grace, { ...company, newId: null, seenVersion: 1, body: whole }, now);
  expect(await done(named)).toContain("identity");
  expect(await done(fresh)).not.toContain("identity");
  await createTestOperator(db, { role: "approver" });
  expect(await done()).not.toContain("second-person");
  await createTestOperator(db, { role: "approver", canAct: true });
  expect(await done()).toContain("second-person");
});

test("mail and node are settings; a node is ticked only when it answers", async () => {
  const set = {
    ...fresh,
    smtpUrl: "smtp://127.0.0.1:25",
    bitcoinChain: { url: "http://127.0.0.1:8332" } as const,
  };
  expect(await done(set)).toContain("mail");
  expect(await done(set)).not.toContain("node");
  await owner.query(
    "insert into chain_sources (chain, health, detail, since, asked_at) values ('bitcoin', 'following', '', $1, $1)",
    [now],
  );
  expect(await done(set)).toContain("node");
});

test("a rehearsal is led as well, without what only a company has", async () => {
  const rehearsed = await listSetupSteps(db, { ...fresh, isRehearsal: true }, now);
  const steps = rehearsed.map(({ step }) => step);
  expect(steps).toContain("wallet");
  for (const left of ["identity", "mail", "terms"]) expect(steps).not.toContain(left);
});
