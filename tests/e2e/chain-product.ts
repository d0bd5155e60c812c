import { newEthereumDescriptor, newTestDescriptor, openTestWallet } from "../factories/chain.ts";
import { createTestOperator } from "../factories/operator.ts";
import { appBeside } from "../setup/app-beside.ts";
import { type RunningBitcoinNode, startBitcoinNode } from "../setup/bitcoin-node.ts";
import { type RunningEthereumNode, startEthereumNode } from "../setup/ethereum-node.ts";
import { type RunningProduct, runProduct } from "../setup/run-product.ts";
import { testTimeoutMs } from "../setup/slowness.ts";
import { test as journey } from "./journey.ts";

interface ChainProduct extends RunningProduct {
  bitcoin: RunningBitcoinNode;
  ethereum: RunningEthereumNode;
}

/** Journeys on a product of their own, beside real nodes of both chains and with wallets that are open for customers. */
export const test = journey.extend<object, { product: ChainProduct }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: the library reads the parameter's names
    async ({}, use) => {
      const wallets = { bitcoin: newTestDescriptor(), ethereum: newEthereumDescriptor() };
      const [bitcoin, ethereum] = await Promise.all([startBitcoinNode(), startEthereumNode()]);
      const product = await runProduct({
        BITCOIN_RPC_URL: bitcoin.url,
        BITCOIN_POLL_SECONDS: "1",
        DEPOSIT_WALLET_BITCOIN: wallets.bitcoin,
        ETHEREUM_RPC_URL: ethereum.url,
        ETHEREUM_POLL_SECONDS: "1",
        USDT_CONTRACT: ethereum.usdt,
        // A journey types into the slip form while payments arrive.
        DEPOSIT_SLIPS: "always",
        DEPOSIT_WALLET_ETHEREUM: wallets.ethereum,
        SMTP_URL: process.env["JOURNEY_SMTP_URL"] ?? "",
      });
      const { db } = appBeside(product);
      const operator = await createTestOperator(db);
      await openTestWallet(db, operator, wallets.bitcoin);
      await openTestWallet(db, operator, wallets.ethereum, "ethereum");
      await use({ ...product, bitcoin, ethereum });
      await product.stop();
      await Promise.all([bitcoin.stop(), ethereum.stop()]);
    },
    { scope: "worker", timeout: testTimeoutMs },
  ],
  place: async ({ product }, use) => {
    await use(product);
  },
});
