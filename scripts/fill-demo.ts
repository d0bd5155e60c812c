import { createHash, randomUUID } from "node:crypto";
import sharp from "sharp";
import { coinOfMethod, type DepositMethod } from "../core/deposit.ts";
import { parseAmount } from "../core/money.ts";
import type { App } from "../server/app-context.ts";
import { approveDeposit } from "../server/deposits/approve-deposit.ts";
import { keepSlip } from "../server/deposits/keep-slip.ts";
import { rejectDeposit } from "../server/deposits/reject-deposit.ts";
import { submitDeposit } from "../server/deposits/submit-deposit.ts";
import { actAsOperator } from "../server/identity/act-as-operator.ts";
import { createOperator } from "../server/identity/create-operator.ts";
import type { Operator } from "../server/identity/operator.ts";
import { findActiveOperator, hasOperator } from "../server/identity/queries.ts";
import { registerCustomer } from "../server/identity/register-customer.ts";
import { resetPassword } from "../server/identity/reset-password.ts";
import { setDashboardMessage } from "../server/identity/set-dashboard-message.ts";

type Review = { approve: string; usd?: string } | { reject: string } | null;

interface SampleDeposit {
  daysAgo: number;
  usd: string;
  method: DepositMethod;
  /** The quantity that arrived, or why it was rejected; null: still waiting. */
  review: Review;
}

const customers: { name: [string, string]; email: string; deposits: SampleDeposit[] }[] = [
  {
    name: ["Ada", "Lovelace"],
    email: "ada@example.com",
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
    deposits: [
      { daysAgo: 15, usd: "2500.00", method: "Bitcoin", review: { approve: "0.03790011" } },
      { daysAgo: 1.6, usd: "410.50", method: "Ethereum", review: null },
    ],
  },
  {
    name: ["Mei", "Tanaka"],
    email: "mei@example.com",
    deposits: [{ daysAgo: 2.4, usd: "95.00", method: "USDT", review: null }],
  },
  { name: ["Jonas", "Weber"], email: "jonas@example.com", deposits: [] },
];

/** Fills an empty demo with invented people, through the same acts that real ones go through. */
export async function fillDemo(app: App, password: string): Promise<void> {
  if (await hasOperator(app.db)) return;
  const operator = await addOperator(app, password);
  for (const [index, customer] of customers.entries()) {
    const customerId = await addCustomer(app, customer, password, index);
    for (const deposit of customer.deposits) await addDeposit(app, operator, customerId, deposit);
    if (index === 0) await greet(app, operator, customerId);
  }
}

async function addOperator(app: App, password: string): Promise<Operator> {
  const now = app.now();
  const { appUrl } = app.config;
  const person = { email: "olga@example.com", firstName: "Olga", lastName: "Prober" };
  const made = await createOperator(app.db, { ...person, role: "owner", appUrl, now });
  const token = new URL(made.url).searchParams.get("token") ?? "";
  await resetPassword(app.db, { token, password, now });
  const operator = await findActiveOperator(app.db, made.operatorId);
  if (!operator) throw new Error("the demo's operator is not there");
  return { ...operator, requestId: null };
}

async function addCustomer(
  app: App,
  { name: [firstName, lastName], email }: (typeof customers)[number],
  password: string,
  index: number,
): Promise<string> {
  const { siteName, appUrl } = app.config;
  const site = { siteName, appUrl };
  const now = daysBefore(app, 45 - index * 9);
  const registration = { firstName, lastName, email, password, site, now };
  return (await registerCustomer(app.db, registration)).customerId;
}

async function addDeposit(
  app: App,
  operator: Operator,
  customerId: string,
  { daysAgo, usd, method, review }: SampleDeposit,
): Promise<void> {
  const submittedAt = daysBefore(app, daysAgo);
  const seed = `${customerId} ${daysAgo}`;
  const slip = await keepSlip(app, customerId, await drawSlip(seed), submittedAt);
  const submission = {
    customerId,
    submissionKey: randomUUID(),
    claimedUsdCents: parseAmount(usd, "USD") ?? 0n,
    method,
    slipId: slip.slipId,
  };
  const { depositId } = await submitDeposit(app.db, submission, submittedAt);
  if (review)
    await reviewDeposit(app, operator, { customerId, depositId, method, seed, review, daysAgo });
}

async function reviewDeposit(
  app: App,
  operator: Operator,
  deposit: {
    customerId: string;
    depositId: string;
    method: DepositMethod;
    seed: string;
    review: NonNullable<Review>;
    daysAgo: number;
  },
): Promise<void> {
  const { customerId, depositId, method, seed, review, daysAgo } = deposit;
  const now = daysBefore(app, daysAgo - 0.2);
  const verb = "approve" in review ? "approve" : "reject";
  const act = {
    act: `deposits/${verb}`,
    subject: `deposit:${depositId}`,
    customerId,
    detail: {},
    now,
  };
  await actAsOperator(app.db, operator, act, async (tx, auditId) => {
    if ("reject" in review) {
      await rejectDeposit(tx, { depositId, reason: review.reject, auditId, now });
      return;
    }
    const hex = createHash("sha256").update(seed).digest("hex");
    const usdCents = review.usd ? parseAmount(review.usd, "USD") : null;
    await approveDeposit(tx, {
      depositId,
      quantityUnits: parseAmount(review.approve, coinOfMethod[method]) ?? 0n,
      txid: method === "Bitcoin" ? hex : `0x${hex}`,
      ...(usdCents && { usdCents }),
      auditId,
      now,
    });
  });
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
