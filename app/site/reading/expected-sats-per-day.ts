/**
 * What a hashrate finds in a day on average, in whole satoshi: hashes × reward ÷ (difficulty × 2³²). For
 * explaining: nothing is credited by it.
 */
export function expectedSatsPerDay(day: {
  hashrateThs: number;
  difficulty: number;
  blockRewardSats: number;
}): number {
  const hashes = day.hashrateThs * 1e12 * 86_400;
  return Math.round((hashes * day.blockRewardSats) / (day.difficulty * 2 ** 32));
}
