import type { Coin } from "#core/asset.ts";
import { toDecimal } from "#core/money.ts";
import { withdrawalTerms } from "#core/payments/withdrawal.ts";
import { Refusal } from "#core/refusal.ts";
import { and, asc, eq, inArray, isNull, max, ne, or } from "#server/platform/sql.ts";
import type { EthereumNode } from "../../chain/ethereum/ethereum-node.ts";
import { NodeError } from "../../chain/json-rpc.ts";
import type { Db, Tx } from "../../platform/database.ts";
import {
  type BatchPlan,
  type BuiltVersion,
  listDue,
  toPayment,
  totalInWords,
  type Version,
} from "../batches/form-batch.ts";
import type { RebuildPlan } from "../batches/rebuild-batch.ts";
import type { Withdrawal } from "../give-back.ts";
import { asking } from "../node.ts";
import { withdrawalPayments, withdrawals, withdrawalTransactions } from "../schema.ts";
import {
  buildTransaction,
  callOf,
  type GasPrice,
  type PaymentOrder,
  plainGas,
} from "./build-transaction.ts";
import {
  choosePayable,
  isCovered,
  mostAsked,
  noteFailing,
  readHoldings,
} from "./choose-payable.ts";
import { type UnsignedPayment, writeUnsigned } from "./write-unsigned.ts";

const gwei = 10n ** 9n;

export interface EthereumSource {
  node: EthereumNode;
  /** The numbers that the configured network goes by. */
  chainIds: number[];
  /** Where it is paid from. */
  hotWalletAddress: string | null;
  /** In small letters. */
  usdtContract: string | null;
}

/**
 * Plans a batch of ether and USDT: one transaction for each payment, with nonces one after the other from the one that the hot wallet's
 * address uses next. What stays out: `choosePayable`. From one address one batch goes on at a time: a later nonce waits for an earlier one.
 *
 * @throws Refusal `withdrawals/bad-fee-rate`, `withdrawals/fee-too-high`, `withdrawals/no-hot-wallet`, `withdrawals/wrong-chain`,
 * `withdrawals/nothing-due`, `withdrawals/would-fail`, `withdrawals/not-enough-coins`, `withdrawals/node-does-not-answer`;
 * when it is built `withdrawals/batch-goes-on`, `withdrawals/node-behind`
 */
export async function planEthereumBatch(
  db: Db,
  source: EthereumSource & { price: GasPrice },
  now: Date,
): Promise<BatchPlan> {
  const { node, hotWalletAddress: hotWallet, price } = source;
  requirePrice(price);
  if (!hotWallet) throw new Refusal("withdrawals/no-hot-wallet");
  const [first] = await listDue(db, "ethereum", { now, most: 1 });
  if (!first) throw new Refusal("withdrawals/nothing-due");
  const { chainId, tip, nextNonce } = await asking(() => lookAround(node, hotWallet));
  if (!source.chainIds.includes(chainId)) throw new Refusal("withdrawals/wrong-chain");
  requireUsual(price, tip.baseFeePerGas ?? 0n);
  const from = { hotWallet, chainId, usdtContract: source.usdtContract };
  const paying = { ...source, hotWallet, maxFeePerGas: price.maxFeePerGas };
  const holdings = await asking(() => readHoldings(paying));
  const where = isCovered(holdings, paying);
  const due = await listDue(db, "ethereum", { now, where, most: mostAsked });
  const asked = due.map((withdrawal) => ({ withdrawal, call: callOf(toOrder(withdrawal, from)) }));
  const { gas, failing } = await asking(() => choosePayable(paying, holdings, asked));
  await noteFailing(db, { failing, payable: [...gas.keys()] }, now);
  if (gas.size === 0) {
    const doFail = failing.length > 0;
    throw new Refusal(doFail ? "withdrawals/would-fail" : "withdrawals/not-enough-coins");
  }
  return {
    chain: "ethereum",
    purpose: "withdrawals",
    lockedBy: `${chainId}:${hotWallet}`,
    formedHeight: tip.number,
    only: [...gas.keys()],
    async build(tx, locked, { batchId, day }) {
      await requireFree(tx, { chainId, hotWallet, nextNonce });
      const parts = locked.map((each, i) => {
        const place = { nonce: nextNonce + i, gasLimit: gas.get(each.id) ?? plainGas };
        const order = { ...toOrder(each, from), ...place, coin: each.asset, withdrawalId: each.id };
        return sign(order, price);
      });
      const payments = parts.map(({ withdrawalId, nonce, token }) => {
        return { batchId, withdrawalId, chainId, hotWallet, nonce, token };
      });
      const built = toVersion({ batchId, number: 1, day }, parts, { price, paid: locked });
      return {
        ...built,
        row: { chainId, hotWallet },
        before: async (inner) => {
          await inner.insert(withdrawalPayments).values(payments);
        },
      };
    },
  };
}

/**
 * Plans another version of a batch on Ethereum: for every payment whose nonce is not taken in a block yet a transaction with the
 * same nonce. Who is left out, now or before, is not paid by it: it then only takes the nonce.
 *
 * @throws Refusal `withdrawals/bad-fee-rate`, `withdrawals/node-does-not-answer`; when it is built `withdrawals/fee-too-high`,
 * `withdrawals/fee-not-higher`, `withdrawals/nothing-changed`, `withdrawals/all-in-blocks`
 */
export async function planEthereumVersion(
  node: EthereumNode,
  price: GasPrice,
): Promise<RebuildPlan> {
  requirePrice(price);
  const { baseFeePerGas } = await asking(() => newestBlock(node));
  return {
    chain: "ethereum",
    async build(tx, { batch, last, ordered, leaveOut }) {
      // What replaces an order has to be dearer by a tenth, however cheap the network has become.
      const replacing = ((ordered?.maxFeePerGas ?? 0n) * 5n) / 4n;
      requireUsual(price, baseFeePerGas ?? 0n, replacing);
      const waiting = await listWaiting(tx, batch.id);
      if (waiting.length === 0) throw new Refusal("withdrawals/all-in-blocks");
      const parts = waiting.map(({ withdrawal, payment, wasVoided, gasLimit }) => {
        const pays = !wasVoided && !leaveOut.includes(withdrawal.id);
        const { chainId, hotWallet, nonce, token } = payment;
        const { address: to, units } = toPayment(withdrawal);
        const order = { chainId, hotWallet, nonce, token, pays, to, units };
        const part = { coin: withdrawal.asset, withdrawalId: withdrawal.id };
        return sign({ ...order, ...part, gasLimit: pays ? BigInt(gasLimit) : plainGas }, price);
      });
      requireHigher(ordered, price);
      requireChange(last, price, parts);
      const paid = waiting
        .map(({ withdrawal }) => withdrawal)
        .filter(({ id }) => parts.some(({ withdrawalId, pays }) => pays && withdrawalId === id));
      const { day } = batch;
      return toVersion({ batchId: batch.id, number: last.number + 1, day }, parts, { price, paid });
    },
  };
}

function lookAround(node: EthereumNode, hotWallet: string) {
  return Promise.all([
    node.getChainId(),
    newestBlock(node),
    node.getTransactionCount(hotWallet, "pending"),
    node.getTransactionCount(hotWallet, "latest"),
  ]).then(([chainId, tip, pending, latest]) => {
    return { chainId, tip, nextNonce: Math.max(pending, latest) };
  });
}

async function newestBlock(node: EthereumNode) {
  const tip = await node.getHeader("latest");
  if (!tip) throw new NodeError("malformed", "the node has no newest block");
  return tip;
}

interface From {
  hotWallet: string;
  chainId: number;
  usdtContract: string | null;
}

function toOrder(withdrawal: Withdrawal, { hotWallet, chainId, usdtContract }: From) {
  const { address: to, units } = toPayment(withdrawal);
  if (withdrawal.asset === "USDT" && !usdtContract) throw new Refusal("withdrawals/no-hot-wallet");
  const token = withdrawal.asset === "USDT" ? usdtContract : null;
  return { id: withdrawal.id, chainId, hotWallet, pays: true, to, units, token };
}

/** No nonce that was ever given out is given out again, whatever a node that is behind says. */
async function requireFree(
  tx: Tx,
  { chainId, hotWallet, nextNonce }: { chainId: number; hotWallet: string; nextNonce: number },
) {
  const p = withdrawalPayments;
  // Nobody ever had a transaction that takes the nonce of a payment that was abandoned.
  const wasGiven = or(isNull(p.outcome), ne(p.outcome, "abandoned"));
  const [given] = await tx
    .select({ highest: max(p.nonce) })
    .from(p)
    .where(and(eq(p.chainId, chainId), eq(p.hotWallet, hotWallet), wasGiven));
  const [open] = await tx
    .select({ nonce: p.nonce })
    .from(p)
    .where(and(eq(p.chainId, chainId), eq(p.hotWallet, hotWallet), isNull(p.endedAt)))
    .limit(1);
  if (open) throw new Refusal("withdrawals/batch-goes-on");
  if (given?.highest != null && Number(given.highest) >= nextNonce) {
    throw new Refusal("withdrawals/node-behind");
  }
}

async function listWaiting(tx: Tx, batchId: string) {
  const p = withdrawalPayments;
  const t = withdrawalTransactions;
  const rows = await tx
    .select({ payment: p, withdrawal: withdrawals })
    .from(p)
    .innerJoin(withdrawals, eq(withdrawals.id, p.withdrawalId))
    .where(and(eq(p.batchId, batchId), isNull(p.endedAt), isNull(p.minedHash)))
    .orderBy(asc(p.nonce));
  const ids = rows.map(({ withdrawal }) => withdrawal.id);
  const built =
    ids.length === 0 ? [] : await tx.select().from(t).where(inArray(t.withdrawalId, ids));
  return rows.map((row) => {
    const own = built.filter(({ withdrawalId }) => withdrawalId === row.withdrawal.id);
    const gasLimit = Math.max(...own.map((each) => each.gasLimit));
    return { ...row, gasLimit, wasVoided: own.some(({ pays }) => !pays) };
  });
}

type Part = UnsignedPayment & { withdrawalId: string };

function sign(order: PaymentOrder & { coin: Coin; withdrawalId: string }, price: GasPrice): Part {
  return { ...order, unsigned: buildTransaction(order, price) };
}

function toVersion(
  place: { batchId: string; number: number; day: string },
  parts: Part[],
  { price, paid }: { price: GasPrice; paid: Withdrawal[] },
): BuiltVersion {
  const feeUnits = parts.reduce((sum, { gasLimit }) => sum + gasLimit * price.maxFeePerGas, 0n);
  return {
    columns: {
      ...price,
      feeUnits,
      changeUnits: 0n,
      spends: parts.map(({ hotWallet, nonce }) => `${hotWallet}:${nonce}`),
      pays: paid.map(({ id }) => id),
      unsigned: writeUnsigned(place, parts, price),
    },
    detail: {
      payments: paid.length,
      amount: totalInWords(paid),
      firstNonce: parts[0]?.nonce ?? 0,
      maxFee: `${price.maxFeePerGas} wei`,
      mostFee: `${toDecimal(feeUnits, "ETH")} ETH`,
    },
    after: async (tx, versionId) => {
      const rows = parts.map(({ withdrawalId, pays, gasLimit, unsigned }) => ({
        versionId,
        withdrawalId,
        pays,
        unsigned,
        gasLimit: Number(gasLimit),
      }));
      await tx.insert(withdrawalTransactions).values(rows);
    },
  };
}

function requirePrice({ maxFeePerGas, maxPriorityFeePerGas }: GasPrice): void {
  const isWithin =
    maxFeePerGas > 0n &&
    maxFeePerGas <= BigInt(withdrawalTerms.maxFeeRate) * gwei &&
    maxPriorityFeePerGas >= 0n &&
    maxPriorityFeePerGas <= maxFeePerGas;
  if (!isWithin) throw new Refusal("withdrawals/bad-fee-rate");
}

/** More than ten times what the network asks is a slip of the finger; below one gwei nobody loses anything by it. */
function requireUsual({ maxFeePerGas }: GasPrice, baseFeePerGas: bigint, replacing = 0n): void {
  const usual = baseFeePerGas > gwei ? baseFeePerGas : gwei;
  if (maxFeePerGas > usual * 10n && maxFeePerGas > replacing)
    throw new Refusal("withdrawals/fee-too-high");
}

/** Nodes take a replacement when both fees rise by a tenth; what was never ordered they do not know. */
function requireHigher(ordered: Version | null, price: GasPrice): void {
  if (!ordered) return;
  const { maxFeePerGas, maxPriorityFeePerGas } = ordered;
  const rises = (now: bigint, then: bigint) => now > then && now * 10n >= then * 11n;
  const isHigher =
    rises(price.maxFeePerGas, maxFeePerGas ?? 0n) &&
    rises(price.maxPriorityFeePerGas, maxPriorityFeePerGas ?? 0n);
  if (!isHigher) throw new Refusal("withdrawals/fee-not-higher");
}

function requireChange(last: Version, price: GasPrice, parts: Part[]): void {
  const isSame =
    price.maxFeePerGas === last.maxFeePerGas &&
    price.maxPriorityFeePerGas === last.maxPriorityFeePerGas &&
    parts.length === last.spends.length &&
    parts.filter(({ pays }) => pays).length === last.pays.length;
  if (isSame) throw new Refusal("withdrawals/nothing-changed");
}
