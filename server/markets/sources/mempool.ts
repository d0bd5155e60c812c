import { z } from "#core/zod.ts";
import { type Ask, SourceError } from "./ask.ts";
import { type Figure, figure } from "./source.ts";

const height = z.number();
const hashrate = z.object({ currentHashrate: figure, currentDifficulty: figure });
const rewards = z.object({ startBlock: z.number(), endBlock: z.number(), totalFee: figure });
const fees = z.object({ fastestFee: z.number(), halfHourFee: z.number(), hourFee: z.number() });

/** What a source says about the Bitcoin network. */
export interface GivenFigures {
  height: number;
  difficulty: bigint;
  hashrateHs: bigint;
  feesPerBlockSats: bigint;
  fastestFeeSatPerVb: number;
  halfHourFeeSatPerVb: number;
  hourFeeSatPerVb: number;
}

/**
 * Asks a mempool server about the Bitcoin network: https://mempool.space/docs/api/rest.
 *
 * @throws SourceError
 */
export async function askMempool(ask: Ask): Promise<GivenFigures> {
  // One after the other: public servers ban who asks fast.
  const tip = (await ask("/api/blocks/tip/height", height)).value;
  const { currentHashrate, currentDifficulty } = (await ask("/api/v1/mining/hashrate/3d", hashrate))
    .value;
  const reward = (await ask("/api/v1/mining/reward-stats/144", rewards)).value;
  const fee = (await ask("/api/v1/fees/recommended", fees)).value;
  const blocks = BigInt(Math.max(1, Math.trunc(reward.endBlock - reward.startBlock) + 1));
  return {
    height: tip,
    difficulty: whole(currentDifficulty),
    hashrateHs: whole(currentHashrate),
    feesPerBlockSats: whole(reward.totalFee) / blocks,
    fastestFeeSatPerVb: fee.fastestFee,
    halfHourFeeSatPerVb: fee.halfHourFee,
    hourFeeSatPerVb: fee.hourFee,
  };
}

/** Difficulty and hashrate come as floating point: their last digits mean nothing. */
function whole(given: Figure): bigint {
  if (typeof given === "string" && /^\d{1,38}$/.test(given)) return BigInt(given);
  const value = Number(given);
  if (!Number.isFinite(value) || value < 0 || value > 1e38) {
    throw new SourceError("answered a figure that is none");
  }
  return BigInt(Math.round(value));
}
