import type { GivenFigures } from "./sources/mempool.ts";

/** Hashes that a block takes on average, per unit of difficulty: 2^32. Ten minutes are 600 seconds. */
const hashesPerDifficulty = 2n ** 32n;
const secondsPerBlock = 600n;

/** A reorganisation takes back a few blocks; nothing takes back more. */
const mostBlocksBack = 6;
const mostFeeSatPerVb = 100_000;
const mostFeesPerBlockSats = 100n * 100_000_000n;

/**
 * Why figures about the Bitcoin network cannot be right, in a few words; null when they can. There is one
 * source, so its figures are held against each other and against the last ones.
 */
export function sanityCheck(given: GivenFigures, last: { height: number } | null): string | null {
  if (!Number.isSafeInteger(given.height) || given.height < 0 || given.height > 2 ** 31 - 2) {
    return "a height that is none";
  }
  if (last && given.height < last.height - mostBlocksBack) return "a height long past";
  if (given.difficulty < 1n) return "no difficulty";
  // Within a factor of four, either way: a hashrate is an estimate, from few blocks.
  const expected = (given.difficulty * hashesPerDifficulty) / secondsPerBlock;
  if (given.hashrateHs * 4n < expected || given.hashrateHs > expected * 4n) {
    return "a hashrate that does not fit its difficulty";
  }
  if (given.feesPerBlockSats < 0n || given.feesPerBlockSats > mostFeesPerBlockSats) {
    return "fees that no block ever paid";
  }
  const rates = [given.fastestFeeSatPerVb, given.halfHourFeeSatPerVb, given.hourFeeSatPerVb];
  const areRates = rates.every((rate) => rate >= 0.001 && rate <= mostFeeSatPerVb);
  return areRates ? null : "fee rates that are none";
}
