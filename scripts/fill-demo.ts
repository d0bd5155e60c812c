import { createHash, randomUUID } from "node:crypto";
import sharp from "sharp";
import { coinOfMethod, type DepositMethod } from "../core/deposit.ts";
import { parseAmount } from "../core/money.ts";
import type { App } from "../server/app-context.ts";
import { approveAsOperator } from "../server/console/deposits/approve-as-operator.ts";
import { rejectAsOperator } from "../server/console/deposits/reject-as-operator.ts";
import { keepSlip } from "../server/deposits/keep-slip.ts";
import { submitDeposit } from "../server/deposits/submit-deposit.ts";
import { createOperator } from "../server/identity/create-operator.ts";
import { issueLink } from "../server/identity/issue-link.ts";
import type { Operator } from "../server/identity/operator.ts";
import { findActiveOperator, hasOperator } from "../server/identity/queries.ts";
import { registerCustomer } from "../server/identity/register-customer.ts";
import { resetPassword } from "../server/identity/reset-password.ts";
import { setDashboardMessage } from "../server/identity/set-dashboard-message.ts";
import { verifyEmail } from "../server/identity/verify-email.ts";
import { openDatabase } from "../server/platform/database.ts";
import { fillDemoContent } from "./fill-demo-content.ts";
import { fillDemoMining } from "./fill-demo-mining.ts";

type Review = { approve: string; usd?: string } | { reject: string } | null;

interface SampleDeposit {
  daysAgo: number;
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
  deposits: SampleDeposit[];
}

const customers: SampleCustomer[] = [
  {
    name: ["Ada", "Lovelace"],
    email: "ada@example.com",
    joinedDaysAgo: 45,
    verified: true,
    deposits: [
      { daysAgo: 41, usd: "1200.00", method: "Bitcoin", review: { approve: "0.01834210" } },
      {
        daysAgo: 23,
        usd: "850.00",
        method: "Ethereum",
        review: { approve: "0.284519", usd: "835.40" },
      },
      {
        daysAgo: 9,
        usd: "300.00",
        method: "USDT",
        review: {
          reject:
            "The slip shows a payment to an address that is not ours. If you sent it, please write to us with the transaction id.",
        },
      },
      { daysAgo: 6, usd: "500.00", method: "USDT", review: { approve: "499.25" } },
      { daysAgo: 0.3, usd: "640.00", method: "Bitcoin", review: null },
    ],
  },
  {
    name: ["Kofi", "Mensah"],
    email: "kofi@example.com",
    joinedDaysAgo: 36,
    verified: true,
    deposits: [
      { daysAgo: 15, usd: "2500.00", method: "Bitcoin", review: { approve: "0.03790011" } },
      { daysAgo: 1.6, usd: "410.50", method: "Ethereum", review: null },
    ],
  },
  {
    name: ["Mei", "Tanaka"],
    email: "mei@example.com",
    joinedDaysAgo: 27,
    verified: true,
    deposits: [{ daysAgo: 2.4, usd: "95.00", method: "USDT", review: null }],
  },
  {
    name: ["Jonas", "Weber"],
    email: "jonas@example.com",
    joinedDaysAgo: 18,
    verified: false,
    deposits: [],
  },
];

/** One thing that happened to the invented people. */
interface SampleEvent {
  daysAgo: number;
  happen: () => Promise<void>;
}

/**
 * Fills an empty demo with invented people, through the same acts that real ones go through, in the order
 * of their days: lists that show the newest first then do.
 */
export async function fillDemo(app: App, ownerUrl: string, password: string): Promise<void> {
  if (await hasOperator(app.db)) return;
  const operator = await addOperator(app, ownerUrl, password);
  const ids = new Map<string, string>();
  const events = customers.flatMap((customer) => eventsOf(app, operator, customer, password, ids));
  for (const { happen } of events.sort((a, b) => b.daysAgo - a.daysAgo)) await happen();
  const idOf = (email: string) => ids.get(email) ?? "";
  const buyers = { ada: idOf("ada@example.com"), kofi: idOf("kofi@example.com") };
  await fillDemoMining(app, operator, buyers);
}

/** What happens to a customer: he joins, declares deposits, has them reviewed; the first one is greeted. */
function eventsOf(
  app: App,
  operator: Operator,
  customer: SampleCustomer,
  password: string,
  ids: Map<string, string>,
): SampleEvent[] {
  let customerId = "";
  const joins = async () => {
    customerId = await addCustomer(app, customer, password);
    ids.set(customer.email, customerId);
  };
  const deposits = customer.deposits.flatMap(({ review, ...sample }): SampleEvent[] => {
    let depositId = "";
    const declares = async () => {
      depositId = await addDeposit(app, customerId, sample);
    };
    const isReviewed = async () => {
      if (review) await reviewDeposit(app, operator, { ...sample, customerId, depositId, review });
    };
    return [
      { daysAgo: sample.daysAgo, happen: declares },
      { daysAgo: sample.daysAgo - 0.2, happen: isReviewed },
    ];
  });
  const isGreeted = async () => {
    if (customer !== customers[0]) return;
    await greet(app, operator, customerId);
    await fillDemoContent(app, operator, customerId);
  };
  return [
    { daysAgo: customer.joinedDaysAgo, happen: joins },
    ...deposits,
    { daysAgo: 0, happen: isGreeted },
  ];
}

/** As the server's command does, with the owner's login. */
async function addOperator(app: App, ownerUrl: string, password: string): Promise<Operator> {
  const now = daysBefore(app, 60);
  const { appUrl } = app.config;
  const person = { email: "olga@example.com", firstName: "Olga", lastName: "Prober" };
  const ownersDb = openDatabase(ownerUrl, app.log, 1, "owner");
  const made = await createOperator(ownersDb, { ...person, role: "owner", appUrl, now });
  await ownersDb.$client.end();
  const token = new URL(made.url).searchParams.get("token") ?? "";
  await resetPassword(app.db, { token, password, site: app.config, now });
  const operator = await findActiveOperator(app.db, made.operatorId);
  if (!operator) throw new Error("the demo's operator is not there");
  return { ...operator, requestId: null, provedAt: app.now() };
}

async function addCustomer(
  app: App,
  { name: [firstName, lastName], email, joinedDaysAgo, verified }: SampleCustomer,
  password: string,
): Promise<string> {
  const { siteName, appUrl } = app.config;
  const now = daysBefore(app, joinedDaysAgo);
  const site = { siteName, appUrl };
  const registration = { firstName, lastName, email, password, site, now };
  const { customerId } = await registerCustomer(app.db, registration);
  if (verified) {
    const link = { userId: customerId, email, purpose: "verify-email", appUrl, now } as const;
    const { url } = await app.db.transaction((tx) => issueLink(tx, link));
    await verifyEmail(app.db, { token: new URL(url).searchParams.get("token") ?? "", now });
  }
  return customerId;
}

async function addDeposit(
  app: App,
  customerId: string,
  { daysAgo, usd, method }: Omit<SampleDeposit, "review">,
): Promise<string> {
  const submittedAt = daysBefore(app, daysAgo);
  const drawing = await drawSlip(`${customerId} ${daysAgo}`);
  const { slipId } = await keepSlip(app, customerId, drawing, submittedAt);
  const submission = {
    customerId,
    submissionKey: randomUUID(),
    claimedUsdCents: parseAmount(usd, "USD") ?? 0n,
    method,
    slipId,
  };
  return (await submitDeposit(app.db, submission, submittedAt)).depositId;
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
    daysAgo: number;
  },
): Promise<void> {
  const { customerId, depositId, method, usd, review, daysAgo } = deposit;
  const deposited = {
    id: depositId,
    customerId,
    method,
    claimedUsdCents: parseAmount(usd, "USD") ?? 0n,
  };
  const now = daysBefore(app, daysAgo - 0.2);
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

async function greet(app: App, operator: Operator, customerId: string): Promise<void> {
  const text =
    "Thank you for trying the demo. Nothing here is real: no person, no coin, no payment.";
  await setDashboardMessage(app.db, operator, { customerId, text, expiresAt: null }, app.now());
}

function daysBefore(app: App, days: number): Date {
  return new Date(app.now().getTime() - days * 86_400_000);
}

/** A slip that looks like a sheet of paper with lines, different for every deposit. */
async function drawSlip(seed: string): Promise<{ name: string; bytes: Uint8Array }> {
  const random = createHash("sha256").update(seed).digest();
  const bar = (top: number, width: number, shade: number) => ({
    input: {
      create: {
        width,
        height: 18,
        channels: 3 as const,
        background: { r: shade, g: shade, b: shade },
      },
    },
    left: 60,
    top,
  });
  const lines = [...random.subarray(0, 18)].map((byte, i) =>
    bar(90 + i * 46, 60 + byte * 2, 70 + (byte % 90)),
  );
  const paper = {
    create: { width: 660, height: 960, channels: 3 as const, background: "#fbfaf7" },
  };
  return { name: "slip.jpg", bytes: await sharp(paper).composite(lines).jpeg().toBuffer() };
}
