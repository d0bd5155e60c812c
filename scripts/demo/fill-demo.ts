import { createHash, randomUUID } from "node:crypto";
import { parseAmount } from "../../core/money.ts";
import { coinOfMethod, type DepositMethod } from "../../core/payments/deposit.ts";
import type { App } from "../../server/app-context.ts";
import type { SimulatedChain } from "../../server/chain/simulation/simulated-chain.ts";
import { approveAsOperator } from "../../server/console/deposits/approve-as-operator.ts";
import { rejectAsOperator } from "../../server/console/deposits/reject-as-operator.ts";
import { keepSlip } from "../../server/deposits/slips/keep-slip.ts";
import { submitDeposit } from "../../server/deposits/submit-deposit.ts";
import { setDashboardMessage } from "../../server/identity/settings/set-dashboard-message.ts";
import { hasOperator } from "../../server/identity/staff/find-operator.ts";
import type { Operator } from "../../server/identity/staff/operator.ts";
import { stateResidence } from "../../server/kyc/state-residence.ts";
import type { Market } from "../../server/markets/simulation/simulated-market.ts";
import { type DemoChain, demoChain } from "./demo-chain.ts";
import { demoBrowser, drawPaper } from "./demo-people.ts";
import { addPerson, addStaff } from "./demo-staff.ts";
import { type DemoDays, type DemoEvent, demoDays, runTimeline } from "./demo-timeline.ts";
import { fillDemoContent } from "./fill-demo-content.ts";
import { countEvents } from "./fill-demo-counts.ts";
import { kycEvents } from "./fill-demo-kyc.ts";
import { messageEvents } from "./fill-demo-messages.ts";
import { marketEvents, miningEvents } from "./fill-demo-mining.ts";
import { signDemoReserves } from "./fill-demo-reserves.ts";
import { publishDay, withdrawalEvents } from "./fill-demo-withdrawals.ts";

type Review = { approve: string; usd?: string } | { reject: string } | null;

interface SampleDeposit {
  at: (days: DemoDays) => Date;
  usd: string;
  method: DepositMethod;
  /** The quantity that arrived, or why it was rejected; null: still waiting. */
  review: Review;
}

interface SampleCustomer {
  name: [string, string];
  email: string;
  joinedDaysAgo: number;
  verified: boolean;
  /** Where they live; null: not said yet. */
  country: string | null;
  /** By payment slip. */
  slips: SampleDeposit[];
  /** To the address of their own: satoshis by the days since. */
  payments: Array<[daysAgo: number, sats: bigint]>;
}

const customers: SampleCustomer[] = [
  {
    name: ["Ada", "Lovelace"],
    email: "ada@example.com",
    joinedDaysAgo: 45,
    verified: true,
    country: "GB",
    slips: [
      {
        at: (days) => days.at(43, "11:20"),
        usd: "1200.00",
        method: "Bitcoin",
        review: { approve: "0.01834210" },
      },
      {
        at: (days) => days.at(23, "15:45"),
        usd: "850.00",
        method: "Ethereum",
        review: { approve: "0.284519", usd: "835.40" },
      },
      {
        at: (days) => days.at(9, "19:30"),
        usd: "300.00",
        method: "USDT",
        review: {
          reject:
            "The slip shows a payment to an address that is not ours. If you sent it, please write to us with the transaction id.",
        },
      },
      {
        at: (days) => days.at(6, "08:15"),
        usd: "500.00",
        method: "USDT",
        review: { approve: "499.25" },
      },
      { at: (days) => days.minutesAgo(19), usd: "640.00", method: "Bitcoin", review: null },
    ],
    payments: [[26, 650_000n]],
  },
  {
    name: ["Kofi", "Mensah"],
    email: "kofi@example.com",
    joinedDaysAgo: 36,
    verified: true,
    country: "GH",
    slips: [
      {
        at: (days) => days.at(15, "13:00"),
        usd: "2500.00",
        method: "Bitcoin",
        review: { approve: "0.03790011" },
      },
      { at: (days) => days.at(2, "09:35"), usd: "410.50", method: "Ethereum", review: null },
    ],
    payments: [],
  },
  {
    name: ["Mei", "Tanaka"],
    email: "mei@example.com",
    joinedDaysAgo: 27,
    verified: true,
    country: "JP",
    slips: [{ at: (days) => days.at(2, "21:10"), usd: "95.00", method: "USDT", review: null }],
    payments: [[22, 420_000n]],
  },
  {
    name: ["Jonas", "Weber"],
    email: "jonas@example.com",
    joinedDaysAgo: 18,
    verified: false,
    country: null,
    slips: [],
    payments: [],
  },
  {
    name: ["Nadia", "Rahman"],
    email: "nadia@example.com",
    joinedDaysAgo: 43,
    verified: true,
    country: "MY",
    slips: [],
    payments: [
      [41, 2_100_000n],
      [11, 800_000n],
    ],
  },
  {
    name: ["Tomas", "Novak"],
    email: "tomas@example.com",
    joinedDaysAgo: 34,
    verified: true,
    country: "CZ",
    slips: [],
    payments: [[31, 1_250_000n]],
  },
  {
    name: ["Ines", "Costa"],
    email: "ines@example.com",
    joinedDaysAgo: 29,
    verified: true,
    country: "PT",
    slips: [],
    payments: [[24, 900_000n]],
  },
  {
    name: ["Liam", "Byrne"],
    email: "liam@example.com",
    joinedDaysAgo: 20,
    verified: true,
    country: "IE",
    slips: [],
    payments: [[17, 700_000n]],
  },
];

interface DemoContext {
  app: App;
  chain: DemoChain;
  days: DemoDays;
  /** Owner of the demo's business: decides. */
  olga: Operator;
  /** Treasurer: prepares. */
  pavel: Operator;
  idOf(email: string): string;
}

/**
 * Fills an empty demo with a business that could live, through the same acts that real people go through, in the order of their
 * moments. Whenever it is filled, it shows the same: all of it is counted back from now.
 */
export async function fillDemo(
  app: App,
  {
    ownerUrl,
    password,
    chain,
    market,
  }: { ownerUrl: string; password: string; chain: SimulatedChain; market: Market },
): Promise<void> {
  if (await hasOperator(app.db)) return;
  const days = demoDays(app.now(), market);
  const ids = new Map<string, string>();
  const olga = await addStaff(app, {
    ...people.olga,
    ownerUrl,
    password,
    now: days.at(60, "08:00"),
  });
  const pavel = await addStaff(app, {
    ...people.pavel,
    ownerUrl,
    password,
    now: days.at(59, "08:00"),
  });
  const idOf = (email: string) => ids.get(email) ?? "";
  const context: DemoContext = { app, chain: demoChain(app, chain), days, olga, pavel, idOf };
  await runTimeline([
    { at: days.at(46, "09:00"), happen: (at) => context.chain.open(olga, at) },
    ...customers.flatMap((customer) => customerEvents(context, customer, password, ids)),
    ...marketEvents(context),
    ...miningEvents(context),
    ...kycEvents(context),
    ...withdrawalEvents(context),
    ...countEvents(context),
    ...messageEvents(context),
    ...lastMinutes(context),
  ]);
  await publishDay(app);
  await signDemoReserves(app, context);
}

const people = {
  olga: { email: "olga@example.com", firstName: "Olga", lastName: "Prober", role: "owner" },
  pavel: { email: "pavel@example.com", firstName: "Pavel", lastName: "Kasse", role: "treasurer" },
} as const;

/** Somebody joins, says where they live, pays in; what came by slip is reviewed some hours later. */
function customerEvents(
  { app, chain, days, olga, idOf }: DemoContext,
  customer: SampleCustomer,
  password: string,
  ids: Map<string, string>,
): DemoEvent[] {
  const { email, joinedDaysAgo, country, slips, payments } = customer;
  const joins = async (at: Date) => {
    const customerId = await addPerson(app, { ...customer, password, now: at });
    ids.set(email, customerId);
    if (country) await stateResidence(app.db, { customerId, country, ...demoBrowser }, at);
  };
  const bySlip = slips.flatMap(({ at: declaredAt, ...sample }): DemoEvent[] => {
    let depositId = "";
    const declares = async (at: Date) => {
      depositId = await addDeposit(app, idOf(email), sample, at);
    };
    const { review } = sample;
    const isReviewed = (at: Date, said: NonNullable<Review>) => {
      const deposit = { ...sample, customerId: idOf(email), depositId, review: said };
      return reviewDeposit(app, olga, deposit, at);
    };
    const at = declaredAt(days);
    const later = new Date(at.getTime() + 3 * 3_600_000);
    return [
      { at, happen: declares },
      ...(review ? [{ at: later, happen: (then: Date) => isReviewed(then, review) }] : []),
    ];
  });
  const byChain = payments.flatMap(([daysAgo, sats]): DemoEvent[] => [
    { at: days.at(daysAgo, "10:30"), happen: (at) => chain.pay(idOf(email), sats, at) },
    { at: days.at(daysAgo, "11:10"), happen: (at) => chain.mine(3, at) },
  ]);
  return [{ at: days.at(joinedDaysAgo, "09:40"), happen: joins }, ...bySlip, ...byChain];
}

/** What waits at the moment: a payment with one block of three, one without any, and a greeting for who looks around. */
function lastMinutes({ app, chain, days, olga, idOf }: DemoContext): DemoEvent[] {
  const [ada, liam, mei] = ["ada", "liam", "mei"].map((name) => `${name}@example.com`) as [
    string,
    string,
    string,
  ];
  return [
    { at: days.minutesAgo(14), happen: (at) => chain.pay(idOf(liam), 310_000n, at) },
    { at: days.minutesAgo(9), happen: (at) => chain.mine(1, at) },
    { at: days.minutesAgo(6), happen: (at) => chain.pay(idOf(mei), 150_000n, at) },
    {
      at: days.now,
      happen: async (at) => {
        const customerId = idOf(ada);
        const text =
          "Thank you for trying the demo. Nothing here is real: no person, no coin, no payment.";
        await setDashboardMessage(app.db, olga, { customerId, text, expiresAt: null }, at);
        await fillDemoContent(app, olga, customerId);
      },
    },
  ];
}

async function addDeposit(
  app: App,
  customerId: string,
  { usd, method }: Pick<SampleDeposit, "usd" | "method">,
  now: Date,
): Promise<string> {
  const drawing = { name: "slip.jpg", bytes: await drawPaper(`${customerId} ${now.getTime()}`) };
  const { slipId } = await keepSlip(app, customerId, drawing, now);
  const submission = {
    customerId,
    submissionKey: randomUUID(),
    claimedUsdCents: parseAmount(usd, "USD") ?? 0n,
    method,
    slipId,
  };
  return (await submitDeposit(app.db, submission, now)).depositId;
}

async function reviewDeposit(
  app: App,
  operator: Operator,
  deposit: {
    customerId: string;
    depositId: string;
    method: DepositMethod;
    usd: string;
    review: NonNullable<Review>;
  },
  now: Date,
): Promise<void> {
  const { customerId, depositId, method, usd, review } = deposit;
  const deposited = {
    id: depositId,
    customerId,
    method,
    claimedUsdCents: parseAmount(usd, "USD") ?? 0n,
  };
  if ("reject" in review) {
    const rejection = { deposit: deposited, reason: review.reject };
    await rejectAsOperator(app.db, operator, rejection, now);
    return;
  }
  const hex = createHash("sha256").update(depositId).digest("hex");
  const approval = {
    deposit: deposited,
    quantityUnits: parseAmount(review.approve, coinOfMethod[method]) ?? 0n,
    txid: method === "Bitcoin" ? hex : `0x${hex}`,
    outputIndex: null,
    usdCents: parseAmount(review.usd ?? usd, "USD") ?? 0n,
  };
  await approveAsOperator(app.db, operator, approval, now);
}
