import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { addDays, utcDay } from "../../core/utc-day.ts";
import { startSimulatedNode } from "../../server/chain/simulation/start-simulated-node.ts";
import { recordWallets } from "../../server/chain/wallets/record-wallets.ts";
import { verifyLedger } from "../../server/ledger/verify/verify-ledger.ts";
import { openApp } from "../../server/open-app.ts";
import { readConfig } from "../../server/platform/config/read-config.ts";
import { requireSameInstallation } from "../../server/platform/database/require-same-installation.ts";
import { openLog } from "../../server/platform/log/log.ts";
import { testDatabase } from "../../tests/setup/test-database.ts";
import { demoEnvironment } from "../start-demo.ts";
import { openDemoChain } from "./demo-chain.ts";
import { fillDemo } from "./fill-demo.ts";
import { openDemoMarket } from "./open-demo-market.ts";

const folder = mkdtempSync(path.join(tmpdir(), "assay-demo-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** PostgreSQL's own clock is the real one: the demo is filled yesterday. */
const day = addDays(utcDay(new Date()), -1);

/** A demo that is filled at a moment, and what can be asked of it. */
async function demoAt(time: string, databases: Awaited<ReturnType<typeof testDatabase>>) {
  const now = () => new Date(`${day}T${time}:00Z`);
  const dataDir = mkdtempSync(path.join(folder, "data-"));
  const chain = openDemoChain(dataDir);
  const market = openDemoMarket(dataDir, now);
  const node = await startSimulatedNode(chain, now);
  const simulated = { exchange: "http://127.0.0.1:9", node: node.url };
  const environment = demoEnvironment({ DATA_DIR: dataDir, LOG_LEVEL: "silent" }, simulated);
  const config = readConfig(environment);
  const app = { ...openApp(config, openLog("silent"), databases.applicationUrl), now };
  await requireSameInstallation(app.db, config, now());
  await recordWallets(app.db, Object.values(config.wallets), now());
  const { ownerUrl } = databases;
  await fillDemo(app, { ownerUrl, password: "a password of the demo", chain, market });
  await node.stop();
  await app.db.$client.end();
  const ask = async (text: string) => (await databases.owner.query(text)).rows;
  return { ask };
}

const [atNight, beforeMidnight] = [await testDatabase(), await testDatabase()];
const [early, late] = await Promise.all([
  demoAt("00:10", atNight),
  demoAt("23:50", beforeMidnight),
]);

const states = (table: string) =>
  `select state, count(*)::int as number from ${table} group by state order by state`;

test("every payout of the pool is covered by coins on the demo's chain, and none is over or missing", async () => {
  for (const { ask } of [early, late]) {
    const recorded = "from pool_payouts where state = 'recorded'";
    expect(await ask(`select distinct covered, unseen_reason ${recorded}`)).toEqual([
      { covered: true, unseen_reason: null },
    ]);
    expect(await ask("select pool_lacks(id)::text as lacks from pools")).toEqual([{ lacks: "0" }]);
  }
});

test("shows withdrawals, batches, deposits, verifications, counts and messages in every state that acts reach", async () => {
  const names = async (table: string) =>
    (await late.ask(states(table))).map(({ state }: { state: string }) => state);
  expect(await names("withdrawals")).toEqual([
    ...["approved", "batched", "broadcast", "cancelled", "confirmed"],
    ...["rejected", "requested", "returned", "settled"],
  ]);
  expect(await names("withdrawal_batches")).toEqual(["broadcast", "failed", "formed", "settled"]);
  expect(await names("deposits")).toEqual(["approved", "pending", "rejected"]);
  expect(await names("chain_payments")).toEqual(["mined", "seen"]);
  expect(await names("kyc_submissions")).toEqual(["approved", "declined", "submitted"]);
  expect(await names("custody_counts")).toEqual(["confirmed", "open", "rejected"]);
  expect(await names("contact_threads")).toEqual(["answered", "closed", "open"]);
  expect(await late.ask("select from withdrawal_holds where lifted_at is null")).toHaveLength(1);
});

test("shows coins that signed the newest proof and are there, and a batch that carries its hash into the chain", async () => {
  for (const { ask } of [early, late]) {
    expect(
      await ask("select day::text, units > 0 as found, spent_at from reserve_signatures"),
    ).toEqual([{ day, found: true, spent_at: null }]);
    const carried = await ask(`select b.state from withdrawal_batch_versions v
      join proof_days d on d.digest = v.mark join withdrawal_batches b on b.id = v.batch_id`);
    expect(carried).toEqual([{ state: "settled" }]);
  }
});

test("shows one running contract above its break-even, one below, one that was served and one that was cancelled unpaid", async () => {
  const running: Array<{ has_won: boolean }> = await late.ask(`
    select d.credited_usd_micros - d.fees_usd_micros >= c.usd_cents * 10000 as has_won
      from contracts c join mining_contract_days d on d.contract_id = c.id and d.day = '${addDays(day, -1)}'
      join plan_versions v on v.id = c.plan_version_id
     where c.ended_at is null and v.name = 'Demo Month' order by 1`);
  expect(running).toEqual([{ has_won: false }, { has_won: true }]);
  const ended = await late.ask("select reason from contract_endings order by reason");
  expect(ended).toEqual([{ reason: "served" }, { reason: "unpaid-maintenance" }]);
  expect(await late.ask("select from maintenance_clocks where state = 'running'")).toHaveLength(1);
});

test("has a ledger that fits its own claims, at every hour", async () => {
  for (const { db } of [atNight, beforeMidnight]) {
    expect((await verifyLedger(db)).filter(({ holds }) => !holds)).toEqual([]);
  }
});

test("shows the same ten minutes after midnight as ten minutes before the next one", async () => {
  const questions = [
    ...["withdrawals", "withdrawal_batches", "deposits", "chain_payments"].map(states),
    ...["custody_counts", "pool_payouts", "mining_runs", "maintenance_clocks"].map(states),
    "select version, name, state, price_usd_cents from plan_versions order by name, version",
    `select u.email, a.asset, a.account, a.balance from ledger_accounts a join users u on u.id = a.owner_id
      order by 1, 2, 3`,
    "select asset, units, difference_units from custody_holdings order by as_of, asset",
  ];
  for (const question of questions) {
    const [then, now] = [await early.ask(question), await late.ask(question)];
    expect(now.length).toBeGreaterThan(0);
    expect(then).toEqual(now);
  }
});
