import { type WatchContext, watchChain } from "../watch-chain.ts";
import type { BlockSource } from "./block-source.ts";
import { judgeTip } from "./judge-tip.ts";
import { openSource } from "./open-source.ts";
import { readBitcoin } from "./read-bitcoin.ts";
import { readMempool } from "./read-mempool.ts";

/** One pass over the Bitcoin chain: what is new in it and in the mempool, and whether its source can be used. */
export async function watchBitcoin(context: WatchContext): Promise<void> {
  const source = openSource(context.config, context.stopping);
  if (source) await watchBitcoinSource(context, source);
}

/** One pass with a source at hand. */
export async function watchBitcoinSource(
  context: WatchContext,
  source: BlockSource,
): Promise<void> {
  const { db, config, now } = context;
  await watchChain(context, {
    reader: readBitcoin(source, config.network),
    judgeTip: () => judgeTip(source, config.network, now()),
    atTip: () => readMempool(db, source, now()),
  });
}
