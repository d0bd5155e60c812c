import type { Coin } from "#core/asset.ts";
import { inArray, sql } from "#server/platform/sql.ts";
import type { EthereumNode } from "../../chain/ethereum/ethereum-node.ts";
import { NodeError } from "../../chain/json-rpc.ts";
import type { Db } from "../../platform/database.ts";
import { toPayment } from "../batches/form-batch.ts";
import type { Withdrawal } from "../give-back.ts";
import { failingWithdrawals } from "../schema.ts";
import { type Call, plainGas } from "./build-transaction.ts";
import { balanceOf } from "./read-token.ts";

/** What an account may have waiting at a node that keeps to geth's own limits. */
const maxPayments = 64;
/** So many payments the node is asked about for one batch. */
export const mostAsked = 4 * maxPayments;
/**
 * A contract that receives ether runs at the cost of the house, which takes the same fee from everybody: wallets and forwarders that are
 * contracts, and transfers of USDT, use half of that at most.
 */
const mostGas = 100_000n;

export interface Paying {
  node: EthereumNode;
  hotWallet: string;
  usdtContract: string | null;
  maxFeePerGas: bigint;
}

interface Asked {
  withdrawal: Withdrawal;
  call: Call;
}

/**
 * What one batch pays of what is due, in its order, and the gas that each may use, by withdrawal. What the node says would fail, or what
 * needs too much gas, is `failing`; that and what the address does not cover keeps nothing waiting that comes after it.
 *
 * @throws NodeError
 */
export async function choosePayable(
  paying: Paying,
  due: Asked[],
): Promise<{ gas: Map<string, bigint>; failing: string[] }> {
  const { node, hotWallet, maxFeePerGas } = paying;
  const left = await readHoldings(paying, due);
  const gas = new Map<string, bigint>();
  const failing: string[] = [];
  for (let i = 0; i < due.length && gas.size < maxPayments; i += maxPayments) {
    // What is not covered the node would refuse for that alone.
    const page = due
      .slice(i, i + maxPayments)
      .filter(({ withdrawal }) => toPayment(withdrawal).units <= left[withdrawal.asset]);
    const needed = await Promise.all(page.map(({ call }) => estimate(node, hotWallet, call)));
    for (const [place, { withdrawal }] of page.entries()) {
      const most = needed[place] ?? null;
      if (most === null) failing.push(withdrawal.id);
      else if (gas.size < maxPayments && take(left, withdrawal, most * maxFeePerGas))
        gas.set(withdrawal.id, most);
    }
  }
  return { gas, failing };
}

async function readHoldings({ node, hotWallet, usdtContract }: Paying, due: Asked[]) {
  const holds: Record<Coin, bigint> = { BTC: 0n, ETH: await node.getBalance(hotWallet), USDT: 0n };
  if (usdtContract && due.some(({ withdrawal }) => withdrawal.asset === "USDT")) {
    holds.USDT = await balanceOf(node, usdtContract, hotWallet);
  }
  return holds;
}

/** What a payment may use of gas; null: the node says that it would fail, or it uses too much. */
async function estimate(node: EthereumNode, from: string, call: Call): Promise<bigint | null> {
  try {
    const gas = await node.estimateGas({ from, ...call });
    if (gas > mostGas) return null;
    // What a contract needs can grow until the block; a plain account's 21,000 cannot.
    return gas <= plainGas ? plainGas : (gas * 5n) / 4n;
  } catch (error) {
    if (error instanceof NodeError && error.failure === "refused") return null;
    throw error;
  }
}

/** Takes a payment and the most that the network can take for it out of what is left; false, and nothing taken: it is not covered. */
function take(left: Record<Coin, bigint>, withdrawal: Withdrawal, feeUnits: bigint): boolean {
  const { units } = toPayment(withdrawal);
  const ether = withdrawal.asset === "ETH" ? units + feeUnits : feeUnits;
  if (ether > left.ETH || units > left[withdrawal.asset]) return false;
  left[withdrawal.asset] -= units;
  left.ETH -= feeUnits;
  return true;
}

/** Keeps what the node said, for the order in which it is asked the next time and for who decides what becomes of them. */
export async function noteFailing(
  db: Db,
  { failing, payable }: { failing: string[]; payable: string[] },
  now: Date,
): Promise<void> {
  const f = failingWithdrawals;
  await db.delete(f).where(inArray(f.withdrawalId, payable));
  if (failing.length === 0) return;
  await db
    .insert(f)
    .values(failing.map((withdrawalId) => ({ withdrawalId, saidAt: now })))
    .onConflictDoUpdate({ target: f.withdrawalId, set: { saidAt: sql`excluded.said_at` } });
}
