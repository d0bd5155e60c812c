import type { SourceHealth } from "#core/payments/source-health.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import { enqueue } from "../platform/jobs/jobs.ts";
import type { Log } from "../platform/log/log.ts";
import type { ChainReader, SourceTip } from "./chain-reader.ts";
import { followChain } from "./follow-chain.ts";
import { chainIncidents, chainSources } from "./schema.ts";
import { SourceIncident } from "./source-health.ts";
import { deriveLookahead } from "./wallets/derive-lookahead.ts";
import { ForeignAddress, requireDerived } from "./wallets/foreign-address.ts";
import { writeMissingScripts } from "./wallets/write-scripts.ts";

export interface WatchContext {
  db: Db;
  config: Config;
  log: Log;
  now(): Date;
  stopping?: AbortSignal;
}

/** What became of payments is settled after each pass that changed something: `deposits/payments/settle-payments.ts`. */
export const settleJob = "deposits/settle-payments";

/** Longer ones go on with the next pass, so that others get their turn. */
const passLastsMs = 20_000;
const names: Record<WalletChain, string> = { bitcoin: "Bitcoin's source", ethereum: "Ethereum's" };

/** What a pass over one chain is made of. */
export interface Watched {
  reader: ChainReader;
  /** The source's newest block, once it is clear that the source can be used. */
  judgeTip(): Promise<SourceTip>;
  /** What is left to do when there is nothing left to read. */
  atTip(tip: SourceTip): Promise<void>;
}

/** One pass over a chain: what is new in it, and whether its source can be used. */
export async function watchChain(context: WatchContext, watched: Watched): Promise<void> {
  const { db, log, now, stopping } = context;
  const { chain } = watched.reader;
  const told: { tip: SourceTip | null } = { tip: null };
  const found = await lookAt(context, watched, told).catch((error: unknown): FoundHealth => {
    if (!(error instanceof SourceIncident)) throw error;
    return { health: error.health, detail: error.message, tip: told.tip };
  });
  if (stopping?.aborted) return;
  const { changed } = await recordHealth(db, chain, found, now());
  if (changed) log.warn({ health: found.health, detail: found.detail }, names[chain]);
  await enqueue(db, settleJob, {}, { key: settleJob });
}

async function lookAt(
  { db, config, now, stopping }: WatchContext,
  { reader, judgeTip, atTip }: Watched,
  told: { tip: SourceTip | null },
): Promise<FoundHealth> {
  const tip = await judgeTip();
  told.tip = tip;
  const { chain } = reader;
  const key = config.wallets[chain];
  if (key) {
    await deriveLookahead(db, key, now());
    await requireDerived(db, key).catch((error: unknown) => {
      if (!(error instanceof ForeignAddress)) throw error;
      throw new SourceIncident("foreign-address", error.message);
    });
  }
  await writeMissingScripts(db, { chain, network: config.network });
  const until = performance.now() + passLastsMs;
  const stop = () => performance.now() > until || Boolean(stopping?.aborted);
  const { isAtTip } = await followChain(db, reader, { tip, stop, now });
  if (!isAtTip) return { health: "catching-up", detail: "reads blocks", tip };
  await atTip(tip);
  return { health: "following", detail: "", tip };
}

interface FoundHealth {
  health: SourceHealth;
  detail: string;
  /** Null: it said nothing. */
  tip: { height: number; hash: string } | null;
}

/** Writes down whether a source can be used, and since when; what keeps us from it, as a incident with a beginning and an end. */
async function recordHealth(
  db: Db,
  chain: WalletChain,
  { health, detail, tip }: FoundHealth,
  now: Date,
): Promise<{ changed: boolean }> {
  return db.transaction(async (tx) => {
    const asked = { askedAt: now, ...(tip && { tipHeight: tip.height }) };
    const begun = { chain, health, detail, since: now, ...asked };
    const inserted = await tx
      .insert(chainSources)
      .values(begun)
      .onConflictDoNothing()
      .returning({ chain: chainSources.chain });
    const [before] = await tx
      .select()
      .from(chainSources)
      .where(eq(chainSources.chain, chain))
      .for("update");
    const same = inserted.length === 0 && before?.health === health;
    await tx
      .update(chainSources)
      .set({ ...asked, health, detail, ...(!same && { since: now }) })
      .where(eq(chainSources.chain, chain));
    if (same) return { changed: false };
    await tx
      .update(chainIncidents)
      .set({ endedAt: now })
      .where(and(eq(chainIncidents.chain, chain), isNull(chainIncidents.endedAt)));
    if (health !== "following" && health !== "catching-up") {
      await tx.insert(chainIncidents).values({ chain, health, detail, beganAt: now });
    }
    return { changed: true };
  });
}
