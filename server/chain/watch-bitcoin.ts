import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import { enqueue } from "../platform/jobs.ts";
import type { Log } from "../platform/log.ts";
import type { BlockSource, SourceTip } from "./block-source.ts";
import { followChain } from "./follow-chain.ts";
import { judgeTip } from "./judge-tip.ts";
import { openSource } from "./open-source.ts";
import { readMempool } from "./read-mempool.ts";
import { type FoundCondition, recordCondition } from "./record-condition.ts";
import { SourceTrouble } from "./source-condition.ts";
import { writeMissingScripts } from "./write-scripts.ts";

export interface WatchContext {
  db: Db;
  config: Config;
  log: Log;
  now(): Date;
  stopping?: AbortSignal;
}

/** What became of payments is settled after each pass that changed something: `deposits/settle-payments.ts`. */
export const settleJob = "deposits/settle-payments";

/** Longer ones go on with the next pass, so that others get their turn. */
const passLastsMs = 20_000;

/** One pass over the Bitcoin chain: what is new in it and in the mempool, and whether its source can be used. */
export async function watchBitcoin(context: WatchContext): Promise<void> {
  const source = openSource(context.config, context.stopping);
  if (source) await watchSource(context, source);
}

/** One pass with a source at hand. */
export async function watchSource(context: WatchContext, source: BlockSource): Promise<void> {
  const { db, log, now, stopping } = context;
  const told: { tip: SourceTip | null } = { tip: null };
  const found = await lookAt(context, source, told).catch((error: unknown): FoundCondition => {
    if (!(error instanceof SourceTrouble)) throw error;
    return { condition: error.condition, detail: error.message, tip: told.tip };
  });
  if (stopping?.aborted) return;
  const { changed } = await recordCondition(db, "bitcoin", found, now());
  if (changed) log.warn({ condition: found.condition, detail: found.detail }, "Bitcoin's source");
  await enqueue(db, settleJob, {}, { key: settleJob });
}

async function lookAt(
  { db, config, now, stopping }: WatchContext,
  source: BlockSource,
  told: { tip: SourceTip | null },
): Promise<FoundCondition> {
  const { network } = config;
  const tip = await judgeTip(source, network, now());
  told.tip = tip;
  await writeMissingScripts(db, network);
  const until = performance.now() + passLastsMs;
  const stop = () => performance.now() > until || Boolean(stopping?.aborted);
  const { isAtTip } = await followChain(db, source, { tip, network, stop, now });
  if (!isAtTip) return { condition: "catching-up", detail: "reads blocks", tip };
  await readMempool(db, source, now());
  return { condition: "following", detail: "", tip };
}
