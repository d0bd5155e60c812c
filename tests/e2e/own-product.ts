import { type RunningProduct, runProduct } from "../setup/run-product.ts";
import { testTimeoutMs } from "../setup/slowness.ts";
import { test as journey } from "./journey.ts";

/** Journeys on a product of their own: others would notice what they do to its books, prices or machines. */
export const test = journey.extend<object, { product: RunningProduct }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: the library reads the parameter's names
    async ({}, use) => {
      const product = await runProduct({});
      await use(product);
      await product.stop();
    },
    { scope: "worker", timeout: testTimeoutMs },
  ],
  place: async ({ product }, use) => {
    await use(product);
  },
});
