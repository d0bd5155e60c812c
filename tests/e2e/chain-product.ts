import { newTestDescriptor, openTestWallet } from "../factories/chain.ts";
import { createTestOperator } from "../factories/operator.ts";
import { appBeside } from "../setup/app-beside.ts";
import { type RunningBitcoinNode, startBitcoinNode } from "../setup/bitcoin-node.ts";
import { type RunningProduct, runProduct } from "../setup/run-product.ts";
import { test as journey } from "./journey.ts";

interface ChainProduct extends RunningProduct {
  bitcoin: RunningBitcoinNode;
}

/** Journeys on a product of their own, beside a real Bitcoin node and with a wallet that is open for customers. */
export const test = journey.extend<object, { product: ChainProduct }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: the library reads the parameter's names
    async ({}, use) => {
      const descriptor = newTestDescriptor();
      const bitcoin = await startBitcoinNode();
      const product = await runProduct({
        BITCOIN_RPC_URL: bitcoin.url,
        BITCOIN_POLL_SECONDS: "1",
        DEPOSIT_WALLET_BITCOIN: descriptor,
        SMTP_URL: process.env["JOURNEY_SMTP_URL"] ?? "",
      });
      const { db } = appBeside(product);
      await openTestWallet(db, await createTestOperator(db), descriptor);
      await use({ ...product, bitcoin });
      await product.stop();
      await bitcoin.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],
  place: async ({ product }, use) => {
    await use(product);
  },
});
