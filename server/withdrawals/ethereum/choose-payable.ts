import type { Coin } from "#core/asset.ts";
import { inArray, or, type SQL, sql } from "#server/platform/sql.ts";
import type { EthereumNode } from "../../chain/ethereum/ethereum-node.ts";
import { NodeError } from "../../chain/json-rpc.ts";
import type { Db } from "../../platform/database.ts";
import { askInTurn } from "../ask-in-turn.ts";
import { toPayment } from "../batches/form-batch.ts";
import type { Withdrawal } from "../give-back.ts";
import { failingWithdrawals, withdrawals } from "../schema.ts";
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

type Holdings = Record<Coin, bigint>;

/** What the address that pays holds, wei and USDT's own smallest unit. */
export async function readHoldings({ node, hotWallet, usdtContract }: Paying): Promise<Holdings> {
  const tokens = usdtContract ? await balanceOf(node, usdtContract, hotWallet) : 0n;
  return { BTC: 0n, ETH: await node.getBalance(hotWallet), USDT: tokens };
}

/** Whether a withdrawal is covered where nothing else is paid: any number of those that are not keeps nothing waiting. */
export function isCovered({ ETH, USDT }: Holdings, { maxFeePerGas }: Paying): SQL {
  const w = withdrawals;
  const ether = ETH - plainGas * maxFeePerGas;
  return sql`${w.units} - ${w.feeUnits} <= case ${w.asset} when 'ETH' then ${String(ether)}::numeric else ${String(USDT)}::numeric end`;
}

interface Asked {
  withdrawal: Withdrawal;
  call: Call;
}

/**
 * What one batch pays of what is due, in its order, and the gas that each may use, by withdrawal. What the node says would fail, or what
 * needs too much gas, is `failing`; that and what the address does not cover keeps nothing waiting that comes after it. A contract is paid
 * once in a batch: it may refuse in the block what it takes when it is asked.
 *
 * @throws NodeError
 */
export async function choosePayable(
  { node, hotWallet, maxFeePerGas }: Paying,
  holdings: Holdings,
  due: Asked[],
): Promise<{ gas: Map<string, bigint>; failing: string[] }> {
  const left = { ...holdings };
  const gas = new Map<string, bigint>();
  const failing: string[] = [];
  const paid = new Set<string>();
  const mayTake = ({ asset, address }: Withdrawal, most: bigint) =>
    gas.size < maxPayments && !(asset === "ETH" && most > plainGas && paid.has(address));
  for (let i = 0; i < due.length && gas.size < maxPayments; i += maxPayments) {
    const page = due.slice(i, i + maxPayments);
    const needed = await askInTurn(page, ({ call }) => estimate(node, hotWallet, call));
    for (const [place, { withdrawal }] of page.entries()) {
      const most = needed[place] ?? null;
      if (most === null) failing.push(withdrawal.id);
      else if (mayTake(withdrawal, most) && take(left, withdrawal, most * maxFeePerGas)) {
        gas.set(withdrawal.id, most);
        paid.add(withdrawal.address);
      }
    }
  }
  return { gas, failing };
}

/** What nodes refuse for their own sake, or that of a limit (EIP-1474): it says nothing of a payment. */
const notOfPayments = [-32700, -32600, -32601, -32602, -32603, -32001, -32002, -32004, -32005, 429];

/** What a payment may use of gas; null: the node says that it would fail, or use too much. */
async function estimate(node: EthereumNode, from: string, call: Call): Promise<bigint | null> {
  try {
    const gas = await node.estimateGas({ from, ...call }, mostGas);
    // What a contract needs can grow until the block; a plain account's 21,000 cannot.
    return gas <= plainGas ? plainGas : (gas * 5n) / 4n;
  } catch (error) {
    const isOfPayment =
      error instanceof NodeError &&
      error.failure === "refused" &&
      !notOfPayments.includes(error.code ?? 0);
    if (isOfPayment) return null;
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
  const isOver = sql`not exists (select from withdrawals w where w.id = ${f.withdrawalId} and w.state = 'approved')`;
  await db.delete(f).where(or(inArray(f.withdrawalId, payable), isOver));
  if (failing.length === 0) return;
  await db
    .insert(f)
    .values(failing.map((withdrawalId) => ({ withdrawalId, saidAt: now })))
    .onConflictDoUpdate({ target: f.withdrawalId, set: { saidAt: sql`excluded.said_at` } });
}
