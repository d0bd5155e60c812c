import { randomBytes, randomInt, randomUUID } from "node:crypto";
import sharp from "sharp";
import type { DepositMethod } from "#core/payments/deposit.ts";
import { approveDeposit } from "#server/deposits/approve-deposit.ts";
import { rejectDeposit } from "#server/deposits/reject-deposit.ts";
import { type DraftSlip, keepSlip } from "#server/deposits/slips/keep-slip.ts";
import { submitDeposit } from "#server/deposits/submit-deposit.ts";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { sendNotice } from "#server/notices/send-notice.ts";
import type { Db } from "#server/platform/database.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { testSite } from "./customer.ts";

interface Product {
  db: Db;
  files: FileStore;
}

type Reviewer = ActingOperator;

/** Where no scanner is configured. */
export const notScanned = async () => {};

/** A picture that looks like no other: large squares of random greys. */
export function uniquePicture(): Promise<Buffer> {
  const greys = randomBytes(12 * 16);
  return sharp(greys, { raw: { width: 12, height: 16, channels: 1 } })
    .resize({ width: 240, height: 320, kernel: "nearest" })
    .png()
    .toBuffer();
}

/** A slip that a customer uploaded and has not used yet. */
export async function createTestSlip(
  product: Product,
  customerId: string,
  wanted: { bytes?: Uint8Array; name?: string; now?: Date } = {},
): Promise<DraftSlip> {
  const file = { name: wanted.name ?? "slip.png", bytes: wanted.bytes ?? (await uniquePicture()) };
  const scanned = { ...product, scanForViruses: notScanned };
  return keepSlip(scanned, customerId, file, wanted.now ?? new Date());
}

export interface TestDeposit {
  depositId: string;
  slipId: string;
  method: DepositMethod;
  claimedUsdCents: bigint;
  /** Of an approved deposit; "" otherwise. */
  txid: string;
  transferId: string;
  /** The mail that tells its customer that it was received. */
  mailId: string;
}

/** A deposit that a customer declared, and that an operator approved or rejected where one is given. */
export async function createTestDeposit(
  product: Product,
  wanted: {
    customerId: string;
    method?: DepositMethod;
    claimedUsdCents?: bigint;
    slip?: Uint8Array;
    declaredOn?: string;
    approvedBy?: Reviewer;
    quantityUnits?: bigint;
    usdCents?: bigint;
    txid?: string;
    rejectedBy?: Reviewer;
    reason?: string;
    now?: Date;
  },
): Promise<TestDeposit> {
  const { customerId, method = "Bitcoin", now = new Date() } = wanted;
  const claimedUsdCents = wanted.claimedUsdCents ?? BigInt(randomInt(1_000, 1_000_000));
  const bytes = wanted.slip ?? (await uniquePicture());
  const { slipId } = await createTestSlip(product, customerId, { bytes, now });
  const { depositId } = await submitDeposit(
    product.db,
    {
      customerId,
      submissionKey: randomUUID(),
      claimedUsdCents,
      method,
      slipId,
      ...(wanted.declaredOn && { declaredOn: wanted.declaredOn }),
    },
    now,
  );
  const made = { depositId, slipId, method, claimedUsdCents, txid: "", transferId: "" };
  if (wanted.approvedBy) Object.assign(made, await approveTestDeposit(product.db, made, wanted));
  if (wanted.rejectedBy) await rejectTestDeposit(product.db, depositId, wanted.rejectedBy, wanted);
  return { ...made, mailId: await mailReceived(product.db, { customerId, now, ...made }) };
}

/** Approves as the console does: one staff act, written into the audit log. */
export async function approveTestDeposit(
  db: Db,
  deposit: { depositId: string; method: DepositMethod },
  wanted: {
    customerId: string;
    approvedBy?: Reviewer;
    quantityUnits?: bigint;
    usdCents?: bigint;
    txid?: string;
    outputIndex?: number | null;
    now?: Date;
  },
): Promise<{ txid: string; transferId: string }> {
  const { depositId, method } = deposit;
  const { customerId, approvedBy, quantityUnits = 1_250_000n, now = new Date() } = wanted;
  if (!approvedBy) throw new Error("a deposit is approved by somebody");
  const txid = wanted.txid ?? randomTxid(method);
  const act = {
    act: "deposits/approve" as const,
    subject: `deposit:${depositId}`,
    customerId,
    detail: {},
    now,
  };
  const { transferId } = await actAsOperator(db, approvedBy, act, (tx, auditId) =>
    approveDeposit(tx, {
      depositId,
      quantityUnits,
      txid,
      auditId,
      now,
      ...(wanted.usdCents !== undefined && { usdCents: wanted.usdCents }),
      ...(wanted.outputIndex !== undefined && { outputIndex: wanted.outputIndex }),
    }),
  );
  return { txid, transferId };
}

/** Rejects as the console does. */
export async function rejectTestDeposit(
  db: Db,
  depositId: string,
  rejectedBy: Reviewer,
  wanted: { customerId: string; reason?: string; now?: Date },
): Promise<void> {
  const { customerId, reason = "The slip is not readable.", now = new Date() } = wanted;
  const act = {
    act: "deposits/reject" as const,
    subject: `deposit:${depositId}`,
    customerId,
    detail: {},
    now,
  };
  await actAsOperator(db, rejectedBy, act, (tx, auditId) =>
    rejectDeposit(tx, { depositId, reason, auditId, now }),
  );
}

export function randomTxid(method: DepositMethod): string {
  const id = randomBytes(32).toString("hex");
  return method === "Bitcoin" ? id : `0x${id}`;
}

/** Does at once what the worker does with the notice. */
async function mailReceived(
  db: Db,
  deposit: {
    depositId: string;
    customerId: string;
    method: string;
    claimedUsdCents: bigint;
    now: Date;
  },
): Promise<string> {
  const { depositId, customerId, method, claimedUsdCents, now } = deposit;
  const kind = "deposit-received";
  const notice = JSON.stringify({ kind, depositId, method, usdCents: `${claimedUsdCents}` });
  await sendNotice(db, { customerId, notice, site: testSite, now });
  const { rows } = await db.$client.query<{ id: string }>(
    "select id from mails where user_id = $1 and template = $2 order by id desc limit 1",
    [customerId, kind],
  );
  const mail = rows[0];
  if (!mail) throw new Error("the mail about a deposit is not there");
  return mail.id;
}
