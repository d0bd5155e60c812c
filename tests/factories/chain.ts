import { randomBytes } from "node:crypto";
import { HDKey } from "@scure/bip32";
import type { Coin } from "#core/asset.ts";
import { chainOf } from "#core/payments/withdrawal.ts";
import { deriveAddress } from "#core/wallet/derive-address.ts";
import { parseWalletKey, type WalletChain, type WalletKey } from "#core/wallet/wallet-key.ts";
import { comparedIndex } from "#core/wallet/wallet-terms.ts";
import { recordPayments } from "#server/chain/record-payments.ts";
import { issueDepositAddress } from "#server/chain/wallets/issue-deposit-address.ts";
import { listWallets } from "#server/chain/wallets/list-wallets.ts";
import { recordWallets } from "#server/chain/wallets/record-wallets.ts";
import { compareAsOperator } from "#server/console/wallets/compare-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import type { Db } from "#server/platform/database.ts";

const testnetKeys = { private: 0x04358394, public: 0x043587cf };

/** The descriptor of a new wallet on the chain that nodes of tests make (regtest), whose private key nobody keeps. */
export function newTestDescriptor(): string {
  const account = HDKey.fromMasterSeed(randomBytes(32), testnetKeys).derive("m/84'/1'/0'");
  return `wpkh([73c5da0a/84h/1h/0h]${account.publicExtendedKey}/0/*)`;
}

/** The same for ether and USDT. */
export function newEthereumDescriptor(account = newEthereumAccount()): string {
  return `[73c5da0a/44h/60h/0h]${account.publicExtendedKey}`;
}

/** For who has to spend from customers' addresses. */
export function newEthereumAccount(): HDKey {
  return HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'");
}

/** Opens a wallet for customers, as staff do who compared it. */
export async function openTestWallet(
  db: Db,
  operator: ActingOperator,
  descriptor = newTestDescriptor(),
  chain: WalletChain = "bitcoin",
): Promise<WalletKey> {
  const key = parseWalletKey(descriptor, chain, "regtest");
  if (typeof key === "string") throw new Error(key);
  const now = new Date();
  await recordWallets(db, [key], now);
  const wallet = (await listWallets(db)).find((each) => each.descriptor === key.descriptor);
  if (!wallet) throw new Error("the wallet was written down");
  const address = deriveAddress(key, comparedIndex);
  await compareAsOperator(db, operator, { walletId: wallet.id, key, address, now });
  return key;
}

/** A customer's own address. */
export async function testAddress(db: Db, key: WalletKey, customerId: string): Promise<string> {
  const address = await issueDepositAddress(db, key, customerId, new Date());
  if (!address) throw new Error("the wallet is open");
  return address;
}

/** As new coins of a block name what they spend. */
export const coinOfNobody = `${"0".repeat(64)}:4294967295`;

/** A payment to an address that waits for a block. */
export async function seePayment(
  db: Db,
  address: string,
  { asset = "BTC", units = 90_000n }: { asset?: Coin; units?: bigint } = {},
): Promise<string> {
  const id = randomBytes(32).toString("hex");
  const ofBitcoin = asset === "BTC";
  const txid = ofBitcoin ? id : `0x${id}`;
  const bytes = ofBitcoin
    ? { raw: randomBytes(9), spends: [coinOfNobody] }
    : { raw: null, spends: null };
  const payment = { txid, outputIndex: 0, asset, address, units, coinbase: false, ...bytes };
  await db.transaction((tx) => recordPayments(tx, chainOf[asset], [payment], null, new Date()));
  const { rows } = await db.$client.query("select id from chain_payments where txid = $1", [txid]);
  return rows[0].id;
}
