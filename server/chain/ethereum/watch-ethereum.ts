import type { EthereumChain } from "../../platform/config.ts";
import { answerOf } from "../answer-of.ts";
import { type WatchContext, watchChain } from "../watch-chain.ts";
import { askAboutAddresses } from "./ask-about-addresses.ts";
import { EthereumNode } from "./ethereum-node.ts";
import { judgeEthereumTip } from "./judge-ethereum-tip.ts";
import { readEthereum } from "./read-ethereum.ts";
import { recordFinality } from "./record-finality.ts";
import { requireFinality } from "./require-finality.ts";

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
