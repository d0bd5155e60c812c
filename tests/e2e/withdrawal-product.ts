import { createOfflineWallet, type OfflineWallet } from "../factories/withdrawal.ts";
import { type RunningBitcoinNode, startBitcoinNode } from "../setup/bitcoin-node.ts";
import { type RunningProduct, runProduct } from "../setup/run-product.ts";
import { test as journey } from "./journey.ts";

interface PayingProduct extends RunningProduct {
  bitcoin: RunningBitcoinNode;
  wallet: OfflineWallet;
}

/** Journeys on a product of their own that pays out on a chain of its own; the operator's keys are in the node's wallet. */
export const test = journey.extend<object, { product: PayingProduct }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: the library reads the parameter's names
    async ({}, use) => {
      const bitcoin = await startBitcoinNode();
      const wallet = await createOfflineWallet(bitcoin);
      const inbox = process.env["JOURNEY_SMTP_URL"] ?? "";
      const product = await runProduct({
        SMTP_URL: inbox,
        BITCOIN_RPC_URL: bitcoin.url,
        DEPOSIT_WALLET_BITCOIN: wallet.descriptor,
        WITHDRAWAL_TWO_PEOPLE_BTC: "0.001",
      });
      await use({ ...product, bitcoin, wallet });
      await product.stop();
      await bitcoin.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],
  place: async ({ product }, use) => {
    await use(product);
  },
});
