import path from "node:path";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { HDKey } from "@scure/bip32";
import { Transaction } from "@scure/btc-signer";
import { deriveAddress, deriveOutput } from "../../core/wallet/derive-address.ts";
import { parseWalletKey, type WalletKey } from "../../core/wallet/wallet-key.ts";
import { comparedIndex } from "../../core/wallet/wallet-terms.ts";
import type { App } from "../../server/app-context.ts";
import { BitcoinNode } from "../../server/chain/bitcoin/bitcoin-node.ts";
import { bitcoinNodeSource } from "../../server/chain/bitcoin/bitcoin-node-source.ts";
import { watchBitcoinSource } from "../../server/chain/bitcoin/watch-bitcoin.ts";
import { SimulatedChain } from "../../server/chain/simulation/simulated-chain.ts";
import { issueDepositAddress } from "../../server/chain/wallets/issue-deposit-address.ts";
import { listWallets } from "../../server/chain/wallets/list-wallets.ts";
import { compareAsOperator } from "../../server/console/wallets/compare-as-operator.ts";
import { settlePayments } from "../../server/deposits/payments/settle-payments.ts";
import type { ActingOperator } from "../../server/identity/staff/operator.ts";
import { scriptOf } from "../../server/withdrawals/withdrawal.ts";

const versions = { private: 0x04358394, public: 0x043587cf };
/** The demo operator's wallet. Everybody can know its key: what it holds exists nowhere. */
const root = HDKey.fromMasterSeed(
  sha256(new TextEncoder().encode("the wallet of a demo")),
  versions,
);
const account = root.derive("m/84'/1'/0'");
const fingerprint = root.fingerprint.toString(16).padStart(8, "0");

/** What the product is told of it: DEPOSIT_WALLET_BITCOIN. */
export const demoWallet = `wpkh([${fingerprint}/84h/1h/0h]${account.publicExtendedKey}/0/*)`;

export function openDemoChain(dataDir: string): SimulatedChain {
  return new SimulatedChain(path.join(dataDir, "simulated-chain"));
}

/** What the demo's people do with the chain, and the worker's passes over it. */
export interface DemoChain {
  key: WalletKey;
  node: BitcoinNode;
  /** Opens the wallet for customers, by the address that Olga reads in it. */
  open(operator: ActingOperator, now: Date): Promise<void>;
  /** Somebody pays a customer's own address; it waits for a block. */
  pay(customerId: string, sats: bigint, now: Date): Promise<void>;
  /** The same to any address. Returns the transaction's id. */
  payTo(address: string, sats: bigint): string;
  /** Blocks, ten minutes apart, and what the worker makes of them. */
  mine(blocks: number, now: Date): Promise<void>;
  look(now: Date): Promise<void>;
  sign(psbt: Uint8Array): Uint8Array;
  /** What an address for change signs: such a document names no path, as a coin's does. */
  signMessage(psbt: Uint8Array, changeIndex: number): Uint8Array;
  /** The owner of the wallet spends a coin by another program, to the wallet itself. */
  spendElsewhere(outpoint: string, changeIndex: number): void;
}

export function demoChain(app: App, chain: SimulatedChain): DemoChain {
  const { db, config, log } = app;
  const key = parseWalletKey(demoWallet, "bitcoin", "regtest");
  if (typeof key === "string") throw new Error(`the demo's wallet: ${key}`);
  const url = config.bitcoinChain?.url;
  if (!url) throw new Error("the demo has a node");
  const source = bitcoinNodeSource(url);
  const payTo = (address: string, sats: bigint) => {
    const script = scriptOf(address, "regtest");
    if (!script) throw new Error("what is paid has an address");
    return chain.pay([{ sats, script: bytesToHex(script) }], `${address} ${chain.height}`);
  };
  const look = async (now: Date) => {
    await watchBitcoinSource({ db, config, log, now: () => now }, source);
    await settlePayments({ db, config, log }, now);
  };
  return {
    key,
    node: new BitcoinNode(url),
    async open(operator, now) {
      const wallet = (await listWallets(db)).find((each) => each.descriptor === key.descriptor);
      if (!wallet) throw new Error("the demo's wallet is not written down");
      const address = deriveAddress(key, comparedIndex);
      await compareAsOperator(db, operator, { walletId: wallet.id, key, address, now });
    },
    async pay(customerId, sats, now) {
      payTo((await issueDepositAddress(db, key, customerId, now)) ?? "", sats);
      await look(now);
    },
    payTo,
    async mine(blocks, now) {
      for (let i = 0; i < blocks; i += 1) {
        chain.mine(new Date(now.getTime() - (blocks - 1 - i) * 600_000));
      }
      await look(now);
    },
    look,
    // Two packages write the same key's type differently.
    sign: (psbt) => signedBy(root as Signer, psbt),
    signMessage(psbt, changeIndex) {
      const { privateKey } = account.deriveChild(1).deriveChild(changeIndex);
      if (!privateKey) throw new Error("the demo's wallet has its keys");
      return signedBy(privateKey, psbt);
    },
    spendElsewhere(outpoint, changeIndex) {
      const coin = chain.findOutput(outpoint);
      if (!coin) throw new Error("there is such a coin");
      const script = bytesToHex(deriveOutput(key, changeIndex, 1).script);
      chain.spend(outpoint, [{ sats: coin.sats - 1_000n, script }]);
    },
  };
}

type Signer = Parameters<Transaction["sign"]>[0];

function signedBy(signer: Signer, psbt: Uint8Array): Uint8Array {
  const transaction = Transaction.fromPSBT(psbt, { allowUnknownOutputs: true });
  transaction.sign(signer);
  transaction.finalize();
  return transaction.toPSBT();
}
