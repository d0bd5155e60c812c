import { randomBytes, randomUUID, randomUUIDv7 } from "node:crypto";
import { hexToBytes } from "@noble/hashes/utils.js";
import { HDKey } from "@scure/bip32";
import { p2wpkh } from "@scure/btc-signer";
import type { Coin } from "#core/asset.ts";
import { withdrawalTerms } from "#core/payments/withdrawal.ts";
import { bitcoinNetworks, deriveAddress, deriveOutput } from "#core/wallet/derive-address.ts";
import { parseWalletKey, type WalletKey } from "#core/wallet/wallet-key.ts";
import type { BitcoinNode } from "#server/chain/bitcoin/bitcoin-node.ts";
import { recordWallets } from "#server/chain/wallets/record-wallets.ts";
import type { Customer } from "#server/identity/account/customer.ts";
import { holdMoney } from "#server/identity/account/hold-money.ts";
import { passkeys } from "#server/identity/schema.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import { findResidence } from "#server/kyc/list-residences.ts";
import { stateResidence } from "#server/kyc/state-residence.ts";
import type { Db } from "#server/platform/database.ts";
import { desc, sql } from "#server/platform/sql.ts";
import { addAddress } from "#server/withdrawals/add-address.ts";
import { formBatch } from "#server/withdrawals/batches/form-batch.ts";
import { planBitcoinBatch } from "#server/withdrawals/bitcoin/plan-batch.ts";
import { askForCoins, scanCoins } from "#server/withdrawals/bitcoin/scan-coins.ts";
import { confirmWithdrawal } from "#server/withdrawals/confirm-withdrawal.ts";
import { approveWithdrawal } from "#server/withdrawals/decide-withdrawal.ts";
import {
  requestWithdrawal,
  type WithdrawalRequest,
} from "#server/withdrawals/request-withdrawal.ts";
import { coinScans } from "#server/withdrawals/schema.ts";
import type { RunningBitcoinNode } from "../setup/bitcoin-node.ts";
import { creditTestDeposit } from "./credited-deposit.ts";
import { createTestCustomer, testSite } from "./customer.ts";
import { createTestPrice } from "./market.ts";

export const nobodysBrowser = { ipAddress: "192.0.2.1", userAgent: "test" };
const dayMs = 86_400_000;

/** An address of somebody's wallet elsewhere. */
export function someAddress(): string {
  const { address } = p2wpkh(
    hexToBytes(`02${"79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"}`),
    bitcoinNetworks.regtest,
  );
  if (!address) throw new Error("a key has an address");
  return address;
}

/** A customer with coins, a second factor, a residence and an address whose cool-down is over, all of it days ago. */
export async function createWithdrawer(
  db: Db,
  wanted: { coin?: Coin; units?: bigint; address?: string; now: Date; email?: string },
): Promise<Customer & { addressId: string; address: string }> {
  const { coin = "BTC", units = 1_000_000n, address = someAddress(), now } = wanted;
  const before = new Date(now.getTime() - 5 * dayMs);
  const customer = await createTestCustomer(db, {
    now: before,
    ...(wanted.email && { email: wanted.email }),
  });
  return { ...customer, ...(await letWithdraw(db, customer.id, { coin, units, address, now })) };
}

/** The same for a customer who is there already. */
export async function letWithdraw(
  db: Db,
  customerId: string,
  wanted: { coin?: Coin; units: bigint; address: string; now: Date },
): Promise<{ addressId: string; address: string }> {
  const { coin = "BTC", units, address, now } = wanted;
  const before = new Date(now.getTime() - 5 * dayMs);
  await addTestFactor(db, customerId, before);
  if (!(await findResidence(db, customerId))) {
    await stateResidence(db, { customerId, country: "DE", ...nobodysBrowser }, before);
  }
  await creditTestDeposit(db, customerId, units, { now: before, asset: coin });
  const added = { customerId, coin, address, label: "Cold wallet", ...testRules };
  const { addressId } = await addAddress(db, { ...added, browser: nobodysBrowser }, before);
  return { addressId, address };
}

async function addTestFactor(db: Db, userId: string, now: Date): Promise<void> {
  const key = { credentialId: randomBytes(16), publicKey: randomBytes(32), signCount: 0 };
  await db.transaction(async (tx) => {
    await holdMoney(tx, userId, "mfa-changed", now);
    await tx
      .insert(passkeys)
      .values({ id: randomUUIDv7(), userId, name: "Key", ...key, createdAt: now });
  });
}

/** What addresses are checked against. */
export const testRules = {
  network: "regtest" as const,
  hotWalletAddress: null,
  usdtContract: null,
};

/** What applies in tests, and the totals above which two people are needed. */
export const testTerms = {
  BTC: { feeUnits: 5_000n, minimumUnits: 70_000n },
  ETH: { feeUnits: 5n * 10n ** 14n, minimumUnits: 5n * 10n ** 15n },
  USDT: { feeUnits: 3_000_000n, minimumUnits: 20_000_000n },
};
export const testTwoPeople = {
  BTC: { twoPeopleAboveUnits: 100_000_000n },
  ETH: { twoPeopleAboveUnits: 10n ** 20n },
  USDT: { twoPeopleAboveUnits: 10n ** 11n },
};

/** How deep deposits of bitcoin must be. */
export const testSteps = [{ fromUnits: 0n, blocks: 3 }];

export async function createBitcoinPrice(db: Db, observedAt: Date): Promise<void> {
  await createTestPrice(db, { asset: "BTC", usdE8: 5_000_000_000_000n, observedAt });
}

/** A request as the form makes it. */
export function aRequest(
  { id: customerId, addressId }: { id: string; addressId: string },
  wanted: Partial<WithdrawalRequest> = {},
): WithdrawalRequest {
  return {
    customerId,
    addressId,
    requestKey: randomUUID(),
    amount: 200_000n,
    isFinal: false,
    terms: testTerms,
    browser: nobodysBrowser,
    site: testSite,
    ...wanted,
  };
}

/** The token in the newest mail that asks to confirm. */
export async function confirmToken(db: Db, customerId: string): Promise<string> {
  const { rows } = await db.execute<{ text: string }>(sql`
    select body_text as text from mails where user_id = ${customerId} and template = 'withdrawal-confirm'
     order by created_at desc, id desc limit 1`);
  return /confirm-withdrawal\?token=(\S+)/.exec(rows[0]?.text ?? "")?.[1] ?? "";
}

/** A withdrawal that was asked for, confirmed and approved, at moments of the test's choice. */
export async function createApprovedWithdrawal(
  db: Db,
  {
    customer,
    operator,
    now,
    ...wanted
  }: Partial<WithdrawalRequest> & {
    customer: { id: string; addressId: string };
    operator: Operator;
    now: Date;
  },
): Promise<string> {
  const { withdrawalId } = await requestWithdrawal(db, aRequest(customer, wanted), now);
  const token = await confirmToken(db, customer.id);
  await confirmWithdrawal(db, { token, browser: nobodysBrowser }, now);
  await approveWithdrawal(db, operator, withdrawalId, now);
  return withdrawalId;
}

export interface OfflineWallet {
  /** All that the product ever sees of it. */
  key: WalletKey;
  /** As DEPOSIT_WALLET_BITCOIN is given. */
  descriptor: string;
  /** Signs as a wallet of Bitcoin Core does: nothing of the product's own code. */
  sign(psbt: Uint8Array, sighash?: string): Promise<Buffer>;
  /** Pays so much to its receiving addresses from 0 on, one output each, and mines them. */
  fund(...sats: bigint[]): Promise<void>;
}

/** The operator's wallet, in Bitcoin Core, with its own keys, and customers' branch added as docs/operating/wallets.md says. */
export async function createOfflineWallet(
  bitcoin: RunningBitcoinNode,
  name = "offline",
): Promise<OfflineWallet> {
  await bitcoin.call("createwallet", [name]);
  const { descriptors } = await bitcoin.call<{
    descriptors: Array<{ desc: string; internal: boolean }>;
  }>("listdescriptors", [], name);
  const found = descriptors.find(({ desc, internal }) => !internal && desc.startsWith("wpkh("));
  const descriptor = (found?.desc ?? "").split("#")[0] ?? "";
  const key = parseWalletKey(descriptor, "bitcoin", "regtest");
  if (typeof key === "string") throw new Error(`${key}: ${descriptor}`);
  await addCustomersBranch(bitcoin, name);
  return {
    key,
    descriptor,
    async sign(psbt, sighash = "ALL") {
      const text = Buffer.from(psbt).toString("base64");
      const signed = await bitcoin.call<{ psbt: string; complete: boolean }>(
        "walletprocesspsbt",
        [text, true, sighash, true, false],
        name,
      );
      return Buffer.from(signed.psbt, "base64");
    },
    async fund(...sats) {
      const outputs = sats.map((units, index) => [deriveAddress(key, index), units] as const);
      await bitcoin.payMany(Object.fromEntries(outputs));
      await bitcoin.mine(withdrawalTerms.confirmations);
    },
  };
}

async function addCustomersBranch(bitcoin: RunningBitcoinNode, name: string): Promise<void> {
  const { descriptors } = await bitcoin.call<{ descriptors: Array<{ desc: string }> }>(
    "listdescriptors",
    [true],
    name,
  );
  const receiving = descriptors.find(({ desc }) => /^wpkh\(.*\/0\/\*\)/.test(desc))?.desc ?? "";
  const desc = receiving.replace(/\/0\/\*\).*/, "/2/*)");
  const { checksum } = await bitcoin.call<{ checksum: string }>("getdescriptorinfo", [desc]);
  const branch = { desc: `${desc}#${checksum}`, timestamp: "now", range: [0, 1000], active: false };
  const [imported] = await bitcoin.call<Array<{ success: boolean }>>(
    "importdescriptors",
    [[branch]],
    name,
  );
  if (!imported?.success) throw new Error("the branch was not imported");
}

export async function recordTestWallet(db: Db, { key }: OfflineWallet, now: Date): Promise<void> {
  await recordWallets(db, [key], now);
}

/** A node that knows of one coin at the wallet's first address, for tests that are not about chains. */
function nodeWithOneCoin(key: WalletKey, vout: number): BitcoinNode {
  const txid = "ab".repeat(32);
  const blockhash = "cd".repeat(32);
  const script = Buffer.from(deriveOutput(key, 0, 0).script).toString("hex");
  const coin = { txid, vout, scriptPubKey: script, desc: "wpkh([00000000/0/0]00)" };
  const unspents = [{ ...coin, amount: 50_000_000n, coinbase: false, height: 1, blockhash }];
  const answers: Partial<BitcoinNode> = {
    scanTxOutSet: async () => ({ success: true, height: 3, bestblock: blockhash, unspents }),
    getTxOut: async () => ({
      bestblock: blockhash,
      confirmations: 1,
      value: 50_000_000n,
      coinbase: false,
      scriptPubKey: { hex: script },
    }),
    getRawTransaction: async () => null,
    getMempoolInfo: async () => ({}),
    getBlockchainInfo: async () => ({
      chain: "regtest",
      blocks: 1,
      headers: 1,
      bestblockhash: blockhash,
      initialblockdownload: false,
      pruned: false,
    }),
  };
  return answers as BitcoinNode;
}

/** A batch that nobody has signed yet, of one withdrawal of this customer, formed now; no node is asked. Each spends another `vout`. */
export async function createUnsentBatch(
  db: Db,
  {
    customer,
    operator,
    vout = 0,
    twoPeopleAboveUnits = 0n,
    ...wanted
  }: Partial<WithdrawalRequest> & {
    customer: { id: string; addressId: string };
    operator: Operator;
    vout?: number;
    twoPeopleAboveUnits?: bigint;
  },
): Promise<{ batchId: string; withdrawalId: string }> {
  const key = parseWalletKey(`wpkh(${testXpub}/0/*)`, "bitcoin", "regtest");
  if (typeof key === "string") throw new Error(key);
  const now = new Date();
  await recordWallets(db, [key], now);
  const yesterday = new Date(now.getTime() - 30 * 3_600_000);
  await createBitcoinPrice(db, yesterday);
  const asked = { customer, operator, now: yesterday, ...wanted };
  const withdrawalId = await createApprovedWithdrawal(db, asked);
  const node = nodeWithOneCoin(key, vout);
  await askForCoins(db, operator, key, now);
  const [scan] = await db.select().from(coinScans).orderBy(desc(coinScans.askedAt)).limit(1);
  await scanCoins(db, { node, key, scanId: scan?.id ?? "" }, () => now);
  const planned = { feePerKvb: 5000, outpoints: [], key, node, steps: testSteps };
  const plan = await planBitcoinBatch(db, planned, now);
  const twoPeople = { ...testTwoPeople, BTC: { twoPeopleAboveUnits } };
  const batch = { submissionKey: randomUUID(), twoPeople, plan };
  return { ...(await formBatch(db, operator, batch, now)), withdrawalId };
}

/** A key of nobody's wallet. */
const testXpub = HDKey.fromMasterSeed(new Uint8Array(32).fill(7), {
  private: 0x04358394,
  public: 0x043587cf,
}).derive("m/84'/1'/0'").publicExtendedKey;
