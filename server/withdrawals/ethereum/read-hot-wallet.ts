import { setTimeout as wait } from "node:timers/promises";
import type { EthereumNode } from "../../chain/ethereum/ethereum-node.ts";
import { balanceOf } from "./read-token.ts";

/** A page does not wait longer for a node. */
const patienceMs = 2000;
/** What a transfer of USDT uses to an address that has none yet. */
const tokenGas = 65_000n;

/** What the address that pays holds, and what the network asks for at this moment. Amounts are wei, USDT its own smallest unit. */
export interface HotWalletView {
  holds: { ETH: bigint; USDT?: bigint };
  baseFeePerGas: bigint;
  /** Twice the base fee, so that it is enough for some blocks of rising fees, and the tip that half of the others paid. */
  suggested: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };
  /** The most that one payment of USDT costs at the suggested fees. */
  tokenPaymentWei: bigint;
}

/** Null: the node does not answer in time, or not usefully. */
export async function readHotWallet(
  node: EthereumNode,
  { hotWalletAddress, usdtContract }: { hotWalletAddress: string; usdtContract: string | null },
): Promise<HotWalletView | null> {
  const asked = Promise.all([
    node.getBalance(hotWalletAddress),
    usdtContract ? balanceOf(node, usdtContract, hotWalletAddress) : null,
    node.getFeeHistory(5, [50]),
  ]);
  const found = await Promise.race([asked, wait(patienceMs, null, { ref: false })]).catch(
    () => null,
  );
  if (!found) return null;
  const [ether, tokens, { baseFeePerGas: bases, reward }] = found;
  const baseFeePerGas = bases.at(-1) ?? 0n;
  const tips = (reward ?? []).flatMap(([tip]) => (tip === undefined ? [] : [tip])).sort(byAmount);
  const maxPriorityFeePerGas = tips[Math.floor(tips.length / 2)] || 10n ** 8n;
  const maxFeePerGas = 2n * baseFeePerGas + maxPriorityFeePerGas;
  return {
    holds: { ETH: ether, ...(tokens !== null && { USDT: tokens }) },
    baseFeePerGas,
    suggested: { maxFeePerGas, maxPriorityFeePerGas },
    tokenPaymentWei: tokenGas * maxFeePerGas,
  };
}

function byAmount(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}
