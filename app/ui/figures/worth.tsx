import { Usd } from "./amount.tsx";

/** What a deposit is worth in dollars; of one that no one could value yet, that. */
export function Worth({ cents }: { cents: bigint | null }) {
  return cents === null ? "Not valued yet" : <Usd cents={cents} />;
}
