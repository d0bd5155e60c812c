import { decimals } from "#core/asset.ts";
import type { Network } from "#core/payments/address.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { EthereumChain } from "../../platform/config.ts";
import type { Db } from "../../platform/database.ts";
import { answerOf } from "../answer-of.ts";
import type { KnownBlock, SourceTip } from "../chain-reader.ts";
import { chainBlocks, chainPositions } from "../schema.ts";
import { SourceIncident } from "../source-health.ts";
import { type WatchContext, watchChain } from "../watch-chain.ts";
import { askAboutAddresses } from "./ask-about-addresses.ts";
import { type EthereumHeader, EthereumNode } from "./ethereum-node.ts";
import { readEthereum } from "./read-ethereum.ts";

/** One pass over the Ethereum chain: what is new in it, what has become final, and whether its node can be used. */
export async function watchEthereum(context: WatchContext): Promise<void> {
  const { ethereumChain } = context.config;
  if (!ethereumChain) return;
  const node = new EthereumNode(ethereumChain.url, context.stopping);
  await watchEthereumNode(context, node, ethereumChain);
}

/** One pass with a node at hand. */
export async function watchEthereumNode(
  context: WatchContext,
  node: EthereumNode,
  chain: EthereumChain,
): Promise<void> {
  const { db, config, now } = context;
  const { network } = config;
  await watchChain(context, {
    reader: readEthereum(node, chain),
    judgeTip: () => judgeEthereumTip(node, chain, network, now()),
    async atTip({ finalized }) {
      const key = config.wallets.ethereum;
      if (key) {
        const asked = { node, key, usdtContract: chain.usdtContract };
        await answerOf(askAboutAddresses(db, asked, { limit: 20, now: now() }));
      }
      if (!finalized) return;
      await recordFinality(db, "ethereum", finalized);
      requireFinality(finalized, network, now());
    },
  });
}

/** The newest final block is 13 to 19 minutes old where two thirds of the validators agree. Test networks have lost that for long. */
const finalWithinHours: Record<Network, number | null> = { mainnet: 1, testnet: 6, regtest: null };

/**
 * Holds credits back while blocks come and none becomes final: then the validators disagree, and each of two branches may
 * still lose.
 *
 * @throws SourceIncident `not-finalizing`
 */
function requireFinality({ height, time }: KnownBlock, network: Network, now: Date): void {
  const hours = finalWithinHours[network];
  if (hours === null || now.getTime() - time.getTime() <= hours * 3_600_000) return;
  throw new SourceIncident(
    "not-finalizing",
    `the newest final block is ${height}, from ${time.toISOString()}`,
  );
}

/**
 * Notes the newest block that the chain calls final, once it was read. What is older than the blocks that are remembered is
 * not noted; a source that knows of less than we did changes nothing.
 *
 * @throws SourceIncident `lying` when it calls another block final than the one in its own chain
 */
async function recordFinality(
  db: Db,
  chain: WalletChain,
  { height, hash }: KnownBlock,
): Promise<void> {
  await db.transaction(async (tx) => {
    const isOurs = eq(chainPositions.chain, chain);
    const [position] = await tx.select().from(chainPositions).where(isOurs).for("update");
    if (!position || height > position.height) return;
    if (position.finalizedHeight !== null && height < position.finalizedHeight) return;
    const [read] = await tx
      .select({ hash: chainBlocks.hash })
      .from(chainBlocks)
      .where(and(eq(chainBlocks.chain, chain), eq(chainBlocks.height, height)));
    if (!read) return;
    if (read.hash !== hash) {
      throw new SourceIncident("lying", `it calls another block ${height} final than it has`);
    }
    if (height === position.finalizedHeight) return;
    await tx
      .update(chainPositions)
      .set({ finalizedHeight: height, finalizedHash: hash })
      .where(isOurs);
  });
}

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
async function judgeEthereumTip(
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
