import {
  createEthereumHotWallet,
  type EthereumHotWallet,
} from "../factories/ethereum-hot-wallet.ts";
import { createOfflineWallet, type OfflineWallet } from "../factories/withdrawal.ts";
import { type RunningBitcoinNode, startBitcoinNode } from "../setup/bitcoin-node.ts";
import { type RunningEthereumNode, startEthereumNode } from "../setup/ethereum-node.ts";
import { type RunningProduct, runProduct } from "../setup/run-product.ts";
import { testTimeoutMs } from "../setup/slowness.ts";
import { test as journey } from "./journey.ts";

interface PayingProduct extends RunningProduct {
  bitcoin: RunningBitcoinNode;
  wallet: OfflineWallet;
  ethereum: RunningEthereumNode;
  hotWallet: EthereumHotWallet;
}

/** Journeys on a product of their own that pays out on chains of its own; the operator's keys are in the nodes. */
export const test = journey.extend<object, { product: PayingProduct }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: the library reads the parameter's names
    async ({}, use) => {
      const [bitcoin, ethereum] = await Promise.all([startBitcoinNode(), startEthereumNode()]);
      const wallet = await createOfflineWallet(bitcoin);
      const hotWallet = await createEthereumHotWallet(ethereum, 1_000_000_000n);
      const inbox = process.env["JOURNEY_SMTP_URL"] ?? "";
      const product = await runProduct({
        SMTP_URL: inbox,
        BITCOIN_RPC_URL: bitcoin.url,
        DEPOSIT_WALLET_BITCOIN: wallet.descriptor,
        ETHEREUM_RPC_URL: ethereum.url,
        USDT_CONTRACT: ethereum.usdt,
        WITHDRAWAL_ADDRESS_ETHEREUM: hotWallet.address,
        // As the journeys look for themselves: two looks of which one calls a block final and the other does not undo each other's finding.
        WITHDRAWAL_CONFIRMATIONS_ETHEREUM: "1",
        WITHDRAWAL_TWO_PEOPLE_BTC: "0.001",
        WITHDRAWAL_TWO_PEOPLE_USDT: "50",
      });
      await use({ ...product, bitcoin, wallet, ethereum, hotWallet });
      await product.stop();
      await Promise.all([bitcoin.stop(), ethereum.stop()]);
    },
    { scope: "worker", timeout: testTimeoutMs },
  ],
  place: async ({ product }, use) => {
    await use(product);
  },
});
