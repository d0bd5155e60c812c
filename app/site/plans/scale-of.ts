interface Scale {
  min: number;
  max: number;
  step: number;
}

/** A scale on which what was typed into the address stands exactly, however far out or finely it was chosen. */
export function scaleOf(
  typed: string,
  { min, max, step }: Scale,
): Scale & { defaultValue: number } {
  const value = Number(typed.replace(/,/g, "")) || 0;
  const isOnStep = Number.isInteger(Math.round((value - min) * 1e6) / Math.round(step * 1e6));
  return {
    min: Math.min(min, value),
    max: Math.max(max, value),
    step: isOnStep || value < min ? step : 0.01,
    defaultValue: value,
  };
}
