import { randomUUID } from "node:crypto";
import { utcDay } from "../../core/utc-day.ts";
import type { WalletKey } from "../../core/wallet/wallet-key.ts";
import { comparedIndex } from "../../core/wallet/wallet-terms.ts";
import type { App } from "../../server/app-context.ts";
import { issueDepositAddress } from "../../server/chain/wallets/issue-deposit-address.ts";
import { listWallets } from "../../server/chain/wallets/list-wallets.ts";
import { compareAsOperator } from "../../server/console/wallets/compare-as-operator.ts";
import { draftPlan } from "../../server/contracts/plans/draft-plan.ts";
import { markOfTerms } from "../../server/contracts/plans/plan.ts";
import { publishPlan } from "../../server/contracts/plans/publish-plan.ts";
import { addDelivery } from "../../server/fleet/add-delivery.ts";
import { addSite } from "../../server/fleet/add-site.ts";
import { setEnergyPrice } from "../../server/fleet/set-energy-price.ts";
import { setReserve } from "../../server/fleet/set-reserve.ts";
import { hasOperator } from "../../server/identity/staff/find-operator.ts";
import type { Operator } from "../../server/identity/staff/operator.ts";
import { stateResidence } from "../../server/kyc/state-residence.ts";
import type { Market } from "../../server/markets/simulation/simulated-market.ts";
import { addPool } from "../../server/payouts/add-pool.ts";
import { demoBrowser } from "../demo/demo-people.ts";
import { addPerson, addStaff } from "../demo/demo-staff.ts";
import { type DemoDays, demoDays } from "../demo/demo-timeline.ts";
import { modern, monthTerms } from "../demo/fill-demo-mining.ts";
import { namePoolAddress } from "../demo/name-pool-address.ts";
import type { RehearsalChain } from "./bitcoin.ts";

interface Filling {
  ownerUrl: string;
  password: string;
  chain: RehearsalChain;
  market: Market;
}

/** What an operator would set up on a first morning, through the same acts; and a customer who has paid in. */
export async function fillRehearsal(
  app: App,
  { ownerUrl, password, chain, market }: Filling,
): Promise<void> {
  const { db } = app;
  if (await hasOperator(db)) return;
  const now = app.now();
  const login = { ownerUrl, password, now };
  const olga = await addStaff(app, { ...login, ...people.olga });
  const pavel = await addStaff(app, { ...login, ...people.pavel });
  await addMachines(app, olga, now);
  await addMonth(app, { olga, pavel, days: demoDays(now, market) });
  const today = utcDay(now);
  const named = { name: "Rehearsal pool", format: "braiins", countsFrom: today } as const;
  const { poolId } = await addPool(db, olga, named, now);
  const key = await openWallet(app, olga, chain, now);
  await namePoolAddress(db, olga, { poolId, key }, now);
  const ada = { name: ["Ada", "Lovelace"], email: "ada@example.com", verified: true } as const;
  const customerId = await addPerson(app, { ...ada, password, now });
  await stateResidence(db, { customerId, country: "GB", ...demoBrowser }, now);
  await payIn(app, chain, customerId);
}

const people = {
  olga: { email: "olga@example.com", firstName: "Olga", lastName: "Prober", role: "owner" },
  pavel: { email: "pavel@example.com", firstName: "Pavel", lastName: "Kasse", role: "treasurer" },
} as const;

async function addMachines({ db }: App, olga: Operator, now: Date): Promise<void> {
  const { siteId } = await addSite(db, olga, { name: "Rehearsal hall", place: "Nowhere" }, now);
  const from = { siteId, effectiveFrom: utcDay(now) };
  const evidence = "Rehearsal: a bill that nobody wrote";
  await setEnergyPrice(db, olga, { ...from, evidence, usdMicrosPerKwh: 55_000n }, now);
  const delivery = {
    deliveryId: randomUUID(),
    model: "200T, 15 J/TH",
    machines: modern.machines,
    nameplateGhs: modern.ghs,
    measuredGhs: modern.ghs,
    powerWatts: modern.watts,
  };
  await addDelivery(db, olga, { ...from, ...delivery, evidence }, now);
  await setReserve(db, olga, 50_000, now);
}

async function addMonth(
  { db }: App,
  { olga, pavel, days }: { olga: Operator; pavel: Operator; days: DemoDays },
): Promise<void> {
  const terms = { ...monthTerms(days), name: "Month" };
  const plan = { planId: randomUUID(), slug: "month", terms };
  const { versionId } = await draftPlan(db, pavel, plan, days.now);
  await publishPlan(db, olga, { versionId, seen: markOfTerms(terms) }, days.now);
}

/** The address at index 3 is read in the wallet itself, not here: the one check that proves a key. */
async function openWallet(
  { db, config }: App,
  olga: Operator,
  chain: RehearsalChain,
  now: Date,
): Promise<WalletKey> {
  const key = config.wallets.bitcoin;
  const wallet = (await listWallets(db)).find((each) => each.descriptor === key?.descriptor);
  const address = (await chain.listOperatorAddresses(comparedIndex + 1))[comparedIndex];
  if (!key || !wallet || !address) throw new Error("the rehearsal has a wallet");
  await compareAsOperator(db, olga, { walletId: wallet.id, key, address, now });
  return key;
}

/** Three blocks, and the worker credits it. */
async function payIn(app: App, chain: RehearsalChain, customerId: string): Promise<void> {
  const key = app.config.wallets.bitcoin;
  const address = key && (await issueDepositAddress(app.db, key, customerId, app.now()));
  if (!address) throw new Error("customers have addresses");
  await chain.pay(address, 1_200_000n);
  await chain.mine(3, app.now());
}
