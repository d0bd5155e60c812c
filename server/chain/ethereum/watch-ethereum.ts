import type { Network } from "#core/payments/address.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { EthereumChain } from "../../platform/config.ts";
import type { Db } from "../../platform/database.ts";
import { answerOf } from "../answer-of.ts";
import type { KnownBlock } from "../chain-reader.ts";
import { chainBlocks, chainPositions } from "../schema.ts";
import { SourceIncident } from "../source-health.ts";
import { type WatchContext, watchChain } from "../watch-chain.ts";
import { askAboutAddresses } from "./ask-about-addresses.ts";
import { EthereumNode } from "./ethereum-node.ts";
import { judgeEthereumTip } from "./judge-ethereum-tip.ts";
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
