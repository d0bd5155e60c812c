import type { Network } from "#core/payments/address.ts";
import type { SourceTip } from "../chain-reader.ts";
import { SourceIncident } from "../source-health.ts";
import type { BlockSource } from "./block-source.ts";

/** The first blocks of the networks that we run on. Two test networks share their kind of address. */
const firstBlocks: Record<Network, string[]> = {
  mainnet: ["000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"],
  testnet: [
    "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
    "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043",
  ],
  regtest: ["0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206"],
};

/** The oldest that a newest block may be. Nothing for three hours happens once in thousands of years; alone, miners rest. */
const staleAfterHours: Record<Network, number | null> = { mainnet: 3, testnet: 24, regtest: null };
/** The rules of Bitcoin allow no block from further ahead. */
const aheadAtMostMs = 2 * 3_600_000 + 10 * 60_000;

/**
 * Asks a source for its newest block, and whether it can be used: it knows our network, has read it whole, and is not
 * behind the world.
 *
 * @throws SourceIncident
 */
export async function judgeTip(
  source: BlockSource,
  network: Network,
  now: Date,
): Promise<SourceTip> {
  const first = await source.hashAt(0);
  if (first === null || !firstBlocks[network].includes(first)) {
    throw new SourceIncident("another-chain", `its first block is not one of ${network}`);
  }
  const tip = await source.askTip();
  if (tip.isSyncing) throw new SourceIncident("syncing", `it has read up to block ${tip.height}`);
  const ageMs = now.getTime() - tip.time.getTime();
  const hours = staleAfterHours[network];
  if (hours !== null && ageMs > hours * 3_600_000) {
    throw new SourceIncident("stale", `its newest block is from ${tip.time.toISOString()}`);
  }
  if (-ageMs > aheadAtMostMs) {
    throw new SourceIncident("lying", `its newest block is from ${tip.time.toISOString()}`);
  }
  const { height, hash, time } = tip;
  return { height, hash, time, finalized: null };
}
