/** Blocks between two halvings. */
export const halvingInterval = 210_000;

/** What the block of a height creates in satoshi, halved every 210,000 blocks (Bitcoin Core, GetBlockSubsidy). */
export function blockSubsidySats(height: number): bigint {
  const halvings = Math.floor(height / halvingInterval);
  return halvings >= 64 ? 0n : 5_000_000_000n >> BigInt(halvings);
}
