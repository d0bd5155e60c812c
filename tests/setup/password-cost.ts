import { passwordCost } from "../../server/identity/passwords/password.ts";

/** Kept by the process: the runner reads this file anew for each test file. */
const here = globalThis as { productPasswordCost?: typeof passwordCost };
here.productPasswordCost ??= { ...passwordCost };
/** What hashing costs in the product: a tenth of a second, twice for each person of a test. */
const productCost = here.productPasswordCost;
const leastCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

Object.assign(passwordCost, leastCost);

/** Runs a test that is about the cost itself. */
export async function atProductCost(work: () => Promise<void>): Promise<void> {
  Object.assign(passwordCost, productCost);
  try {
    await work();
  } finally {
    Object.assign(passwordCost, leastCost);
  }
}
