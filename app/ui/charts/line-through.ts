/** A path through what is known. `at`: where a value stands, "x y". */
export function lineThrough<T>(
  values: readonly (T | null)[],
  at: (value: T, index: number) => string,
): string {
  let path = "";
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const goesOn = index > 0 && values[index - 1] !== null;
    const isAlone = !goesOn && (values[index + 1] ?? null) === null;
    // A day alone between gaps is a short dash, so that it is seen.
    path += isAlone ? `M${at(value, index)}h8` : `${goesOn ? "L" : "M"}${at(value, index)}`;
  }
  return path;
}
