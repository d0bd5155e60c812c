import type { OfferedPlan } from "#server/contracts/list-offered-plans.ts";

/** What readers compare offers by, in GH/s: 10, 50 and 100 TH/s. */
const sizesGhs = [10_000n, 50_000n, 100_000n];

/** How many units of a plan make the sizes that readers compare; 1, 5 and 10 units where its unit fits none of them. */
export function sizesOf({
  unitGhs,
  mostUnits,
}: Pick<OfferedPlan, "unitGhs" | "mostUnits">): number[] {
  const fitting = sizesGhs
    .filter((ghs) => ghs % unitGhs === 0n)
    .map((ghs) => Number(ghs / unitGhs));
  const units = (fitting.length > 0 ? fitting : [1, 5, 10]).filter((count) => count <= mostUnits);
  return units.length > 0 ? units : [1];
}
