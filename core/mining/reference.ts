/**
 * What the network would have paid a hashrate for one day at its difficulty, in satoshi, rounded to the nearest: shown beside every
 * credit, never credited. Hashes of a day, divided by the hashes that one block takes on average (difficulty x 2^32),
 * times what a block pays.
 */
export function referenceSats(
  ghs: bigint,
  difficulty: bigint,
  subsidySats: bigint,
  feesPerBlockSats: bigint,
): bigint {
  const hashes = ghs * 1_000_000_000n * 86_400n;
  const hashesPerBlock = difficulty * 2n ** 32n;
  return (hashes * (subsidySats + feesPerBlockSats) + hashesPerBlock / 2n) / hashesPerBlock;
}
