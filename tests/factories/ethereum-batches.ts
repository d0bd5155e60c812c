import { randomUUID } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import { toChecksumAddress } from "#core/payments/address.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import { listHouseBalances } from "#server/ledger/list-house-balances.ts";
import type { Db } from "#server/platform/database.ts";
import { followBatches } from "#server/withdrawals/batches/follow-batches.ts";
import { formBatch } from "#server/withdrawals/batches/form-batch.ts";
import { listVersions } from "#server/withdrawals/batches/list-versions.ts";
import { orderBroadcast } from "#server/withdrawals/batches/order-broadcast.ts";
import { sendVersion } from "#server/withdrawals/batches/send-version.ts";
import { uploadSigned } from "#server/withdrawals/batches/upload-signed.ts";
import { planEthereumBatch } from "#server/withdrawals/ethereum/plan-batch.ts";
import { balanceOf } from "#server/withdrawals/ethereum/read-token.ts";
import { findWithdrawal } from "#server/withdrawals/find-withdrawal.ts";
import type { Nodes } from "#server/withdrawals/node.ts";
import { startEthereumNode, testChainId } from "../setup/ethereum-node.ts";
import { createEthereumHotWallet } from "./ethereum-hot-wallet.ts";
import { createTestPrice } from "./market.ts";
import { createTestOperator } from "./operator.ts";
import { createApprovedWithdrawal, createWithdrawer, testTwoPeople } from "./withdrawal.ts";

export const ether = 10n ** 18n;
export const gwei = 10n ** 9n;
/** What is paid for gas unless a test says otherwise. */
export const price = { maxFeePerGas: 5n * gwei, maxPriorityFeePerGas: gwei };

/** When the withdrawals were asked for, and the day after, on which they leave. */
export const asked = new Date("2026-03-10T12:00:00Z");
export const batchTime = new Date("2026-03-11T09:00:00Z");

export interface Paid {
  id: string;
  addressId: string;
  address: string;
  withdrawalId: string;
}

const given: Record<Coin, [bigint, bigint]> = {
  BTC: [0n, 0n],
  ETH: [ether, ether / 10n],
  USDT: [500_000_000n, 100_000_000n],
};

/** A node of its own, an address that pays, and two of the staff who do with batches what their pages do. */
export async function startEthereumBatches(db: Db) {
  const [grace, alan]: [Operator, Operator] = [
    await createTestOperator(db),
    await createTestOperator(db),
  ];
  const ethereum = await startEthereumNode();
  const hotWallet = await createEthereumHotWallet(ethereum, 10_000_000_000n);
  const nodes: Nodes = { bitcoin: null, ethereum: ethereum.node };
  await createTestPrice(db, { asset: "ETH", usdE8: 300_000_000_000n, observedAt: asked });
  await createTestPrice(db, { asset: "USDT", usdE8: 100_000_000n, observedAt: asked });
  const now = batchTime;
  let paidTo = 0;

  /** Customers with an approved withdrawal of 0.1 ETH or 100 USDT each, to addresses that hold nothing yet. */
  async function approved(...coins: Coin[]): Promise<Paid[]> {
    const people: Paid[] = [];
    for (const coin of coins) {
      const [units, amount] = given[coin];
      const digits = (0xabcdef0000 + paidTo++).toString(16).padStart(40, "7");
      const address = toChecksumAddress(`0x${digits}`);
      const customer = await createWithdrawer(db, { now: asked, coin, units, address });
      const wanted = { customer, operator: grace, now: asked, amount };
      people.push({ ...customer, withdrawalId: await createApprovedWithdrawal(db, wanted) });
    }
    return people;
  }

  const source = () => ({
    node: ethereum.node,
    chainIds: [testChainId],
    hotWalletAddress: hotWallet.address,
    usdtContract: ethereum.usdt,
  });

  type Wanted = {
    price?: typeof price;
    twoPeople?: typeof testTwoPeople;
    hotWalletAddress?: string;
  };
  async function form(wanted: Wanted = {}) {
    const plan = await planEthereumBatch(db, { ...source(), price, ...wanted }, now);
    const submissionKey = randomUUID();
    const batch = { submissionKey, twoPeople: testTwoPeople, ...wanted, plan };
    return (await formBatch(db, grace, batch, now)).batchId;
  }

  async function newest(batchId: string) {
    const version = (await listVersions(db, batchId)).at(-1);
    if (!version) throw new Error("a batch has a version");
    return version;
  }

  async function upload(batchId: string, signed: Uint8Array) {
    const { number } = await newest(batchId);
    const file = { batchId, number, signed, network: "regtest" as const, nodes };
    await uploadSigned(db, alan, file, now);
  }

  async function signAndOrder(batchId: string) {
    const { unsigned, number, id } = await newest(batchId);
    await upload(batchId, await hotWallet.signFile(unsigned));
    await orderBroadcast(db, alan, { batchId, number }, now);
    return id;
  }

  const states = (people: Paid[]) =>
    Promise.all(
      people.map(async ({ withdrawalId }) => (await findWithdrawal(db, { withdrawalId }))?.state),
    );
  const house = async (account: string, asset: Coin) =>
    (await listHouseBalances(db)).find((each) => each.account === account && each.asset === asset)
      ?.units ?? 0n;

  return {
    grace,
    alan,
    ethereum,
    hotWallet,
    nodes,
    source,
    approved,
    form,
    newest,
    upload,
    signAndOrder,
    states,
    house,
    send: (versionId: string) => sendVersion(db, { nodes, versionId }, now),
    follow(node = ethereum.node, at = now) {
      const from = { nodes: { ...nodes, ethereum: node }, network: "regtest" as const };
      return followBatches(db, { ...from, finality: "finalized" }, () => at);
    },
    tokensOf: (address: string) => balanceOf(ethereum.node, ethereum.usdt, address),
  };
}

/** The code with which something is refused, or `done`. */
export function refusal(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => "done",
    (error: Error) => error.message,
  );
}
