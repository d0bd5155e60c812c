import { coinOfMethod, type DepositStatus, depositStatus } from "#core/payments/deposit.ts";
import type { PaymentResolution } from "#core/payments/payment-resolution.ts";
import { eq, type SQL, sql } from "#server/platform/sql.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { depositSlips, deposits } from "./schema.ts";

const d = deposits;
const s = depositSlips;

/** A deposit as its customer sees it. */
export interface Deposit extends DepositRow {
  status: DepositStatus;
  /** The coin that the method brings. */
  asset: (typeof coinOfMethod)[keyof typeof coinOfMethod];
}

type DepositRow = Awaited<ReturnType<typeof selectDeposits>>[number];

export const columns = {
  depositId: d.id,
  customerId: d.customerId,
  method: d.method,
  declaredOn: d.declaredOn,
  claimedUsdCents: d.claimedUsdCents,
  usdCents: d.usdCents,
  createdAt: d.createdAt,
  state: d.state,
  imageUrl: d.imageUrl,
  quantityUnits: d.quantityUnits,
  txid: d.txid,
  outputIndex: d.outputIndex,
  transferId: d.transferId,
  /** What the dollars rest on, by staff or by payment. */
  priceId: sql<string | null>`coalesce(${d.paymentPriceId}, ${d.priceId})`,
  rejectionReason: d.rejectionReason,
  reviewedAt: d.reviewedAt,
  paymentId: d.paymentId,
  confirmations: d.confirmations,
  finalized: d.finalized,
  orphanedAt: d.orphanedAt,
  heldUnits: d.heldUnits,
  reversalId: d.reversalId,
  resolutionId: d.resolutionId,
  /** Why two people said that it was approved by mistake; null: they did not. */
  mistake: sql<
    string | null
  >`(select resolution.reason from payment_resolutions resolution where resolution.id = ${d.resolutionId})`,
  /** What two people said of its payment; null: nothing. */
  resolvedAs: sql<PaymentResolution | null>`(
    select p.resolved_as from chain_payments p
     where (p.id = ${d.paymentId} or ${d.paymentId} is null and p.txid = ${d.txid} and (${d.outputIndex} is null or p.output_index = ${d.outputIndex}))
       and p.resolved_as is not null limit 1)`,
  /** Null, like all of the slip's: a payment made the deposit by itself. */
  slipName: s.originalName,
  slipMediaType: s.mediaType,
  slipByteSize: s.byteSize,
  slipSha256: sql<string | null>`encode(${s.sha256}, 'hex')`,
};

export function selectDeposits(db: Db | Tx, where: SQL | undefined) {
  return db.select(columns).from(d).leftJoin(s, eq(s.id, d.slipId)).where(where);
}

export function asDeposit<Row extends DepositRow>(
  row: Row,
): Row & Pick<Deposit, "status" | "asset"> {
  return { ...row, status: depositStatus(row), asset: coinOfMethod[row.method] };
}

export const people = {
  customerEmail: users.email,
  customerFirstName: users.firstName,
  customerLastName: users.lastName,
};
