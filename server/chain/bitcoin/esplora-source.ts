import { z } from "#core/zod.ts";
import { askOutside, OutsideFailure, parseOutsideJson } from "../../platform/ask-outside.ts";
import { SourceIncident } from "../source-health.ts";
import type { BlockSource } from "./block-source.ts";

const answerWithinMs = 60_000;
/** A block is 4 MB at most; the ids of a full mempool are about 20 MB. */
const maxAnswerBytes = 32 * 1024 * 1024;
/** Of what waits for a block, so many transactions are asked for in a pass, so many at once. */
const waitingAtMost = 200;
const waitingAtOnce = 8;
const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const block = z.object({ id: hash, height: z.int(), timestamp: z.int() });
const hashes = z.array(hash);
const status = z.object({ confirmed: z.boolean() });

/**
 * An Esplora server as a source: https://github.com/Blockstream/esplora/blob/master/API.md. It is never asked for an address, so
 * that it does not learn which are ours: of what waits for a block it is asked for everything, 200 transactions in a pass at
 * most. Whatever it says of those, or does not, its blocks are believed as before.
 */
export function esploraSource(url: string, stopping?: AbortSignal): BlockSource {
  const describe = async (blockHash: string) => {
    const found = await json(`/block/${blockHash}`, block);
    if (found?.id !== blockHash)
      throw new SourceIncident("lying", "it names a block that it lacks");
    return found;
  };
  return {
    async askTip() {
      const tip = await text("/blocks/tip/hash");
      const { height, timestamp } = await describe(tip ?? "");
      return { height, hash: tip ?? "", time: new Date(timestamp * 1000), isSyncing: false };
    },
    hashAt: (height) => text(`/block-height/${height}`),
    timeOf: async (blockHash) => new Date((await describe(blockHash)).timestamp * 1000),
    async readBlock(blockHash) {
      const raw = await ask(`/block/${blockHash}/raw`);
      if (!raw) throw new SourceIncident("lying", "it names a block that it lacks");
      return raw;
    },
    mempool: {
      list: () => json("/mempool/txids", hashes).catch(nothing),
      atMost: waitingAtMost,
      async read(txids) {
        const found: Array<Buffer | null> = [];
        for (let from = 0; from < txids.length; from += waitingAtOnce) {
          const some = txids
            .slice(from, from + waitingAtOnce)
            .map((txid) => ask(`/tx/${txid}/raw`));
          const told = await Promise.all(some).catch(nothing);
          // It may count what it is asked: the rest is asked for with the next pass.
          if (!told) break;
          found.push(...told);
        }
        return found;
      },
    },
    async findTransaction(txid) {
      const found = await json(`/tx/${txid}/status`, status);
      const raw = found && (await ask(`/tx/${txid}/raw`));
      return raw && { inBlock: found.confirmed, raw, height: null };
    },
  };

  async function json<T>(path: string, shape: z.ZodMiniType<T>): Promise<T | null> {
    const answer = await ask(path);
    if (!answer) return null;
    try {
      return shape.parse(parseOutsideJson(answer));
    } catch {
      throw new SourceIncident("lying", `${path.split("/")[1]}: answered in an unknown shape`);
    }
  }

  async function text(path: string): Promise<string | null> {
    const answer = await ask(path);
    const parsed = hash.safeParse(answer?.toString("utf8").trim());
    if (answer && !parsed.success) throw new SourceIncident("lying", "answered with no hash");
    return parsed.data ?? null;
  }

  /** Null: it has no such thing. */
  async function ask(path: string): Promise<Buffer | null> {
    try {
      const { ok, status, bytes } = await askOutside(url + path, {
        withinMs: answerWithinMs,
        maxBytes: maxAnswerBytes,
        stopping,
      });
      if (ok) return bytes;
      if (status === 404) return null;
      throw new SourceIncident("unreachable", `answered ${status}`);
    } catch (error) {
      if (!(error instanceof OutsideFailure)) throw error;
      if (error.fault === "too-large") {
        throw new SourceIncident("lying", "answered with more than 32 MB");
      }
      throw new SourceIncident("unreachable", "cannot be reached, or not in time");
    }
  }
}

function nothing(error: unknown): null {
  if (error instanceof SourceIncident) return null;
  throw error;
}
