import { decimals } from "#core/asset.ts";
import type { Network } from "#core/payments/address.ts";
import type { EthereumChain } from "../../platform/config.ts";
import { answerOf } from "../answer-of.ts";
import type { KnownBlock, SourceTip } from "../chain-reader.ts";
import { SourceIncident } from "../source-health.ts";
import type { EthereumHeader, EthereumNode } from "./ethereum-node.ts";

/** The oldest that a newest block may be: on the main network there is one every 12 seconds. */
const staleAfterMinutes: Record<Network, number | null> = {
  mainnet: 10,
  testnet: 60,
  regtest: null,
};
/** Blocks have exact times; our clock may be a little behind. */
const aheadAtMostMs = 5 * 60_000;
/** The method `decimals()` of a token (ERC-20). */
const askDecimals = "0x313ce567";

/**
 * Asks a node for its newest block and the newest that is final, and whether it can be used: it is on our chain, has read
 * it whole, is not behind the world, and has our token.
 *
 * @throws SourceIncident
 */
export async function judgeEthereumTip(
  node: EthereumNode,
  { chainIds, usdtContract }: EthereumChain,
  network: Network,
  now: Date,
): Promise<SourceTip> {
  const chainId = await answerOf(node.getChainId());
  if (!chainIds.includes(chainId)) {
    throw new SourceIncident("another-chain", `its chain has the number ${chainId}`);
  }
  const isSyncing = await answerOf(node.isSyncing());
  // In this order: what is final cannot be newer than a newest block that was asked for later.
  const final = await answerOf(node.getHeader("finalized"));
  const tip = known(await answerOf(node.getHeader("latest")));
  if (isSyncing) throw new SourceIncident("syncing", `it has read up to block ${tip.height}`);
  requireNow(tip, network, now);
  const finalized = final && known(final);
  if (finalized && finalized.height > tip.height) {
    throw new SourceIncident(
      "lying",
      `it calls block ${finalized.height} final, and ${tip.height} its newest`,
    );
  }
  if (usdtContract !== null) await requireToken(node, usdtContract);
  return { ...tip, finalized };
}

function known(header: EthereumHeader | null): KnownBlock {
  if (!header) throw new SourceIncident("lying", "it has no newest block");
  const { number, hash, timestamp } = header;
  return { height: number, hash, time: new Date(timestamp * 1000) };
}

function requireNow({ time }: KnownBlock, network: Network, now: Date): void {
  const ageMs = now.getTime() - time.getTime();
  const minutes = staleAfterMinutes[network];
  const says = `its newest block is from ${time.toISOString()}`;
  if (minutes !== null && ageMs > minutes * 60_000) throw new SourceIncident("stale", says);
  if (-ageMs > aheadAtMostMs) throw new SourceIncident("lying", says);
}

async function requireToken(node: EthereumNode, contract: string): Promise<void> {
  const answered = await answerOf(node.call({ to: contract, data: askDecimals }));
  if (/^0x[0-9a-f]{64}$/i.test(answered) && BigInt(answered) === BigInt(decimals.USDT)) return;
  throw new SourceIncident("wrong-token", `${contract} is no token with ${decimals.USDT} decimals`);
}
