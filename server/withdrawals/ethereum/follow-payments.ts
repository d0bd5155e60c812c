import { amountInWords } from "#core/money.ts";
import { toChecksumAddress } from "#core/payments/address.ts";
import { and, asc, desc, eq, inArray, isNotNull, isNull } from "#server/platform/sql.ts";
import type { EthereumNode, EthereumReceipt } from "../../chain/ethereum/ethereum-node.ts";
import {
  type FinalBlock,
  type MinedTransaction,
  readFinalBlock,
} from "../../chain/ethereum/read-final-block.ts";
import { NodeError } from "../../chain/json-rpc.ts";
import { SourceIncident } from "../../chain/source-health.ts";
import type { Db } from "../../platform/database.ts";
import { type Batch, toPayment, type Version } from "../batches/form-batch.ts";
import { sendVersion } from "../batches/send-version.ts";
import type { Withdrawal } from "../give-back.ts";
import {
  withdrawalBatchVersions,
  withdrawalPayments,
  withdrawals,
  withdrawalTransactions,
} from "../schema.ts";
import { callOf } from "./build-transaction.ts";
import { movedFrom } from "./read-token.ts";
import {
  type Ending,
  type ExceptionEnding,
  settlePayment,
  settlePaymentException,
} from "./settle-payment.ts";

/** When a block counts as final: when the chain says so, or when it and those after it are so many. */
export type Finality = number | "finalized";

type Payment = typeof withdrawalPayments.$inferSelect;

interface Following {
  payment: Payment;
  withdrawal: Withdrawal;
  /** Of every version, the newest first. */
  transactions: Array<{
    txid: string | null;
    raw: Uint8Array | null;
    pays: boolean;
    sentAt: Date | null;
    version: Version;
  }>;
}

/**
 * Looks where every payment of a batch on Ethereum stands. Which transaction has taken its nonce in a final block decides: ours
 * settles it, or gives it back where it moved nothing; any other one gives it back, once it was found. That a transaction of
 * ours is missing says nothing: nodes forget, and answer late. What was ordered and is nowhere is sent again. The node is believed in
 * what the headers of its blocks commit to. A payment that cannot be ended keeps no other one waiting.
 *
 * @throws NodeError, SourceIncident; else the first error there was, once all were looked at
 */
export async function followPayments(
  db: Db,
  { node, finality, batch }: { node: EthereumNode; finality: Finality; batch: Batch },
  now: () => Date,
): Promise<void> {
  const open = await listOpen(db, batch.id);
  if (open.length === 0) return;
  const chainId = await node.getChainId();
  if (chainId !== batch.chainId) {
    throw new SourceIncident("another-chain", `its chain has the number ${chainId}`);
  }
  const final = await finalHeight(node, finality);
  const taken = final === null ? 0 : await node.getTransactionCount(batch.hotWallet ?? "", final);
  const blocks = new Map<number, Promise<FinalBlock | null>>();
  const read = (height: number) => {
    const block = blocks.get(height) ?? readFinalBlock(db, node, { height, final: final ?? 0 });
    blocks.set(height, block);
    return block;
  };
  const errors: unknown[] = [];
  for (const each of open) {
    const seen = { read, final: final ?? 0, from: batch.formedHeight };
    const isTaken = taken > each.payment.nonce;
    await followPayment(db, node, each, { ...seen, isTaken }, now).catch((error) => {
      // A node that does not answer, or cannot be believed, is not asked about the others.
      if (error instanceof NodeError || error instanceof SourceIncident) throw error;
      errors.push(error);
    });
  }
  if (errors.length > 0) throw errors[0];
}

async function followPayment(
  db: Db,
  node: EthereumNode,
  each: Following,
  { isTaken, ...seen }: Omit<Seen, "receipt"> & { isTaken: boolean },
  now: () => Date,
): Promise<void> {
  const receipt = await findReceipt(node, each);
  if (isTaken) await end(db, node, each, { ...seen, receipt }, now());
  else await goOn(db, node, each, receipt, now());
}

async function goOn(
  db: Db,
  node: EthereumNode,
  following: Following,
  receipt: EthereumReceipt | null,
  now: Date,
): Promise<void> {
  await noteBlock(db, following.payment, receipt);
  if (!receipt) await sendAgain(db, node, following, now);
}

async function end(
  db: Db,
  node: EthereumNode,
  following: Following,
  seen: Seen,
  now: Date,
): Promise<void> {
  const { payment } = following;
  // What is odd keeps the block that it was found in.
  if (payment.fault === null) await noteBlock(db, payment, seen.receipt);
  const ending = await findEnding(node, following, seen);
  if (!ending) return;
  if (ending.outcome === "exception") return settlePaymentException(db, { payment, ending }, now);
  // What was odd is people's, unless another block holds something else.
  if (payment.fault !== null) {
    if (payment.minedHash === ending.hash) return;
    await noteBlock(db, payment, seen.receipt);
  }
  await settlePayment(db, { payment, ending }, now);
}

/** What is known of the chain: what became of ours, the newest final height, and the tip when the batch was formed. */
interface Seen {
  receipt: EthereumReceipt | null;
  /** A final block: each is read once in a pass. */
  read(height: number): Promise<FinalBlock | null>;
  final: number;
  from: number;
}

async function listOpen(db: Db, batchId: string): Promise<Following[]> {
  const p = withdrawalPayments;
  const t = withdrawalTransactions;
  const v = withdrawalBatchVersions;
  const rows = await db
    .select({ payment: p, withdrawal: withdrawals })
    .from(p)
    .innerJoin(withdrawals, eq(withdrawals.id, p.withdrawalId))
    .where(and(eq(p.batchId, batchId), isNull(p.endedAt)))
    .orderBy(asc(p.nonce));
  const ids = rows.map(({ payment }) => payment.withdrawalId);
  if (ids.length === 0) return [];
  const built = await db
    .select({
      withdrawalId: t.withdrawalId,
      txid: t.txid,
      raw: t.raw,
      pays: t.pays,
      sentAt: t.sentAt,
      version: v,
    })
    .from(t)
    .innerJoin(v, eq(v.id, t.versionId))
    .where(and(inArray(t.withdrawalId, ids), isNotNull(t.raw)))
    .orderBy(desc(v.number));
  return rows.map((row) => ({
    ...row,
    transactions: built.filter(({ withdrawalId }) => withdrawalId === row.payment.withdrawalId),
  }));
}

/** The newest block that stays; null: none does yet. */
async function finalHeight(node: EthereumNode, finality: Finality): Promise<number | null> {
  const header = await node.getHeader(finality === "finalized" ? finality : "latest");
  if (!header) return null;
  const height = finality === "finalized" ? header.number : header.number - finality + 1;
  return height >= 0 ? height : null;
}

/** What became of ours, of whichever version, as far as it is in a block of the chain. */
async function findReceipt(
  node: EthereumNode,
  { transactions }: Following,
): Promise<EthereumReceipt | null> {
  const ids = [...new Set(transactions.flatMap(({ txid }) => (txid === null ? [] : [txid])))];
  const receipts = ids.length === 0 ? [] : await node.getReceipts(ids);
  return receipts.find((receipt) => receipt !== null) ?? null;
}

async function noteBlock(db: Db, payment: Payment, receipt: EthereumReceipt | null): Promise<void> {
  if ((receipt?.blockHash ?? null) === payment.minedHash && payment.fault === null) return;
  const p = withdrawalPayments;
  const block = {
    fault: null,
    minedHeight: receipt?.blockNumber ?? null,
    minedHash: receipt?.blockHash ?? null,
    minedTxid: receipt?.transactionHash ?? null,
  };
  await db
    .update(p)
    .set(block)
    .where(and(eq(p.withdrawalId, payment.withdrawalId), isNull(p.endedAt)));
}

/**
 * How a payment ends whose nonce is taken in a final block. Null: the node does not show us by what.
 *
 * @throws SourceIncident
 */
async function findEnding(
  node: EthereumNode,
  following: Following,
  seen: Seen,
): Promise<Ending | ExceptionEnding | null> {
  const { payment } = following;
  const { receipt, final, from } = seen;
  const taker = receipt
    ? { txid: receipt.transactionHash, height: receipt.blockNumber }
    : await findTaker(node, payment, { final, from });
  if (!taker) return null;
  const { txid, height } = taker;
  const found = await seen.read(height);
  const transaction = found?.find(txid);
  if (!found || !transaction) return null;
  if (transaction.nonce !== payment.nonce || !isSame(transaction.from, payment.hotWallet)) {
    throw new SourceIncident("lying", `transaction ${txid} has not taken nonce ${payment.nonce}`);
  }
  const { feeUnits } = transaction;
  const block = { height, hash: found.hash, txid };
  const does = whatItDoes(transaction, following);
  if (does === "pays") return judge(transaction, following, { ...block, feeUnits });
  return does === "voids"
    ? { outcome: "voided", ...block, feeUnits }
    : { outcome: "overtaken", ...block, feeUnits: null };
}

/** Of one that we had signed its id says all. */
function whatItDoes(transaction: MinedTransaction, following: Following) {
  const ours = following.transactions.find(({ txid }) => txid === transaction.txid);
  if (ours) return ours.pays ? "pays" : "voids";
  if (makes(transaction, following, true)) return "pays";
  const mayVoid = following.transactions.some(({ pays }) => !pays);
  return mayVoid && makes(transaction, following, false) ? "voids" : "something else";
}

/** Whether a transaction says what ours do, under whichever id: what pays a customer has paid him. */
function makes(
  { to, value, input }: MinedTransaction,
  { payment, withdrawal }: Following,
  pays: boolean,
): boolean {
  const { address, units } = toPayment(withdrawal);
  const call = callOf({ ...payment, pays, to: address, units });
  return isSame(to, call.to) && value === call.value && isSame(input, call.data);
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/**
 * A token's contract announces what it moved. One that moved something else than it was told is for people to look at, and so is
 * one that says nothing and did not fail: that nothing is announced proves nothing.
 */
function judge(
  { succeeded, logs }: MinedTransaction,
  { payment, withdrawal }: Following,
  block: { height: number; hash: string; txid: string; feeUnits: bigint },
): Ending | ExceptionEnding {
  const { token, hotWallet } = payment;
  const { address, units } = toPayment(withdrawal);
  if (!succeeded) return { outcome: "reverted", ...block };
  if (token === null) return { outcome: "paid", ...block };
  const moved = movedFrom(logs, token, hotWallet);
  const [first, ...others] = moved;
  const isExact = first?.units === units && toChecksumAddress(first.to) === address;
  if (isExact && others.length === 0) return { outcome: "paid", ...block };
  const said = moved.length === 0 ? "nothing" : moved.slice(0, 5).map(inWords).join(", and ");
  const fault = `The token announced ${said}. It was told ${inWords({ units, to: address })}.`;
  return { outcome: "exception", fault, ...block };
}

function inWords({ units, to }: { units: bigint; to: string }): string {
  return `${amountInWords(units, "USDT")} to ${toChecksumAddress(to)}`;
}

/** The transaction that has taken a nonce without being one of those that we know. Null: not found. */
async function findTaker(
  node: EthereumNode,
  payment: Payment,
  range: { final: number; from: number },
): Promise<{ txid: string; height: number } | null> {
  const height = await findHeight(node, payment, range);
  const first = height ?? firstOf(range);
  for (let at = first; at <= (height ?? range.final); at++) {
    const header = await node.getHeader(at);
    const block = header && (await node.getBlock(header.hash));
    const found = block?.transactions.find(
      ({ from, nonce }) => nonce === payment.nonce && isSame(from, payment.hotWallet),
    );
    if (found) return { txid: found.hash, height: at };
  }
  return null;
}

/** A reorganisation may have moved it below the tip of the moment that the batch was formed at. */
function firstOf({ final, from }: { final: number; from: number }): number {
  return Math.max(0, Math.min(from - 64, final));
}

/** The block after which the nonce was taken, by halving. Null: the node has forgotten what stood so far back. */
async function findHeight(
  node: EthereumNode,
  { hotWallet, nonce }: Payment,
  range: { final: number; from: number },
): Promise<number | null> {
  const isTaken = async (at: number) => (await node.getTransactionCount(hotWallet, at)) > nonce;
  let [low, high] = [firstOf(range), range.final];
  try {
    // Where settled blocks were left, the chain may have taken it long before.
    for (let step = 64; low > 0 && (await isTaken(low)); step *= 2) {
      [low, high] = [Math.max(0, low - step), low];
    }
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (await isTaken(middle)) high = middle;
      else low = middle + 1;
    }
    return high;
  } catch (error) {
    if (error instanceof NodeError && error.failure === "refused") return null;
    throw error;
  }
}

/** The newest transaction that was ordered, where the node does not have it (any more). */
async function sendAgain(db: Db, node: EthereumNode, { transactions }: Following, now: Date) {
  const newest = transactions.find(({ version }) => version.orderedAt !== null);
  if (!newest?.raw || !newest.txid) return;
  if (!newest.sentAt) {
    const nodes = { bitcoin: null, ethereum: node };
    return sendVersion(db, { nodes, versionId: newest.version.id }, now);
  }
  if (await node.getTransaction(newest.txid)) return;
  const raw = `0x${Buffer.from(newest.raw).toString("hex")}`;
  // It was dropped, or the node is another one. Refused it will be looked at again in a minute.
  await node.sendRawTransaction(raw).catch((error) => {
    if (!(error instanceof NodeError && error.failure === "refused")) throw error;
  });
}
