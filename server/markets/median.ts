/** The middle of some prices; of an even number, half-way between the two in the middle, cut to a whole unit. */
export function medianOf(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) throw new Error("no values, no median");
  return (lower + upper) / 2n;
}
