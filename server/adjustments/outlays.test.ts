import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Coin } from "#core/asset.ts";
import { fundEquity, give, proposeGift, proposeTestReversal } from "#tests/factories/adjustment.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { notScanned, uniquePicture } from "#tests/factories/deposit.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { type RunningBitcoinNode, startBitcoinNode } from "#tests/setup/bitcoin-node.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { findOutlay } from "../chain/find-outlay.ts";
import { listHouseBalances } from "../ledger/list-house-balances.ts";
import { listOwnMoney } from "../ledger/list-own-money.ts";
import { verifyLedger } from "../ledger/verify/verify-ledger.ts";
import { approveAdjustment } from "./approve-adjustment.ts";
import { keepEvidence } from "./keep-evidence.ts";
import { type Proposal, proposeAdjustment } from "./propose-adjustment.ts";

const { db, owner } = await testDatabase();
const product = { db, files: testFiles() };
const now = new Date("2026-11-21T12:00:00Z");
const tessa = await createTestOperator(db, { role: "treasurer" });
const amir = await createTestOperator(db, { role: "approver" });
const staff = { maker: tessa, checker: amir };
let bitcoin: RunningBitcoinNode;

beforeAll(async () => {
  bitcoin = await startBitcoinNode();
});
afterAll(() => bitcoin.stop());

const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    (error: Error) => error.message,
  );
const approve = (operator: typeof tessa, id: string) =>
  refusal(approveAdjustment(db, operator, id, now));

async function balance(account: string, asset: Coin): Promise<bigint> {
  const found = (await listHouseBalances(db)).find(
    (each) => each.account === account && each.asset === asset,
  );
  return found?.units ?? 0n;
}

const own = async (asset: Coin) =>
  (await listOwnMoney(db)).find((each) => each.asset === asset)?.units ?? 0n;

async function propose(wanted: Partial<Proposal> & Pick<Proposal, "kind" | "units">) {
  const file = { name: "invoice.png", bytes: await uniquePicture() };
  const at = new Date();
  const keeper = { ...product, scanForViruses: notScanned };
  const { evidenceId } = await keepEvidence(keeper, tessa.id, file, at);
  const id = randomBytes(32).toString("hex");
  const asset = wanted.asset ?? "BTC";
  const proposal = {
    submissionKey: randomUUID(),
    customerId: null,
    asset,
    feeUnits: 1_000n,
    reason: "Electricity in October",
    note: "",
    evidenceId,
    txid: asset === "BTC" ? id : `0x${id}`,
    ...wanted,
  };
  return (await proposeAdjustment(db, tessa, proposal, now)).adjustmentId;
}

test("own money is taken out by two people, with the network's fee, and never below what customers own", async () => {
  const customer = await createTestCustomer(db);
  await creditTestDeposit(db, customer.id, 5_000_000n);
  await fundEquity(product, staff, { units: 1_000_000n });
  const tooMuch = await propose({ kind: "equity-drawing", units: 999_001n });
  expect(await approve(tessa, tooMuch)).toBe("adjustments/own-proposal");
  expect(await approve(amir, tooMuch)).toBe("ledger/customers-not-covered");
  expect(await balance("custody", "BTC")).toBe(6_000_000n);

  const txid = randomBytes(32).toString("hex");
  const bill = await propose({ kind: "equity-drawing", units: 600_000n, txid });
  expect(await approve(amir, bill)).toBe("done");
  expect(await balance("custody", "BTC")).toBe(5_399_000n);
  expect(await balance("operator_drawings", "BTC")).toBe(600_000n);
  expect(await balance("network_fee_expense", "BTC")).toBe(1_000n);
  expect(await own("BTC")).toBe(399_000n);
  // A transaction is booked once.
  expect(await refusal(propose({ kind: "equity-drawing", units: 1n, txid }))).toBe(
    "adjustments/payment-already-counted",
  );
  // Gifts come out of what is left, not out of what was taken.
  const gift = await proposeGift(product, tessa, customer.id, { units: 399_001n });
  expect(await approve(amir, gift)).toBe("ledger/customers-not-covered");
  // Undone by two people, exactly.
  const undo = await proposeTestReversal(product, tessa, bill);
  expect(await approve(amir, undo)).toBe("done");
  expect(await own("BTC")).toBe(1_000_000n);
  expect((await verifyLedger(db)).every(({ holds }) => holds)).toBe(true);
});

test("what customers spent of a deposit that left the chain is not the operator's", async () => {
  const before = await own("BTC");
  const { id: customerId } = await createTestCustomer(db);
  const { depositId } = await creditTestDeposit(db, customerId, 50_000n);
  const client = await owner.connect();
  await client.query("begin; set local session_replication_role = replica");
  await client.query("alter table deposits disable trigger all");
  await client.query(
    "update deposits set state = 'orphaned', orphaned_at = now(), held_units = 20000 where id = $1",
    [depositId],
  );
  const inside = await client.query("select units from own_money() where asset = 'BTC'");
  await client.query("rollback");
  client.release();
  expect(BigInt(inside.rows[0].units)).toBe(before - 30_000n);
});

test("two who take out at once do not take more than there is", async () => {
  const left = await own("BTC");
  const ids = await Promise.all(
    [1, 2, 3].map(() => propose({ kind: "equity-drawing", units: left - 2_000n })),
  );
  const done = await Promise.all(ids.map((id) => approve(amir, id)));
  expect(done.filter((each) => each === "done")).toHaveLength(1);
  expect(await own("BTC")).toBe(1_000n);
});

test("a move between own wallets books the network's fee alone; of USDT the fee is ether", async () => {
  await fundEquity(product, staff, { units: 10n ** 18n, asset: "ETH" });
  const before = { eth: await balance("custody", "ETH"), usdt: await balance("custody", "USDT") };
  const moved = await propose({
    kind: "wallet-transfer",
    units: 500_000_000n,
    asset: "USDT",
    feeUnits: 21_000n * 10n ** 9n,
  });
  expect(await approve(amir, moved)).toBe("done");
  expect(await balance("custody", "USDT")).toBe(before.usdt);
  expect(before.eth - (await balance("custody", "ETH"))).toBe(21_000n * 10n ** 9n);
  // Also where the operator has nothing left: the network has taken it.
  const cost = await propose({ kind: "wallet-transfer", units: 1n, feeUnits: 5_000n });
  expect(await approve(amir, cost)).toBe("done");
  expect(await own("BTC")).toBe(-4_000n);
  await fundEquity(product, staff, { units: 4_000n });
  expect(await refusal(propose({ kind: "wallet-transfer", units: 1n, feeUnits: 0n }))).toBe(
    "adjustments/fee-missing",
  );
});

test("neither is posted without its adjustment, by whoever writes into the ledger", async () => {
  for (const [kind, account] of [
    ["equity-drawing", "operator_drawings"],
    ["wallet-transfer", "network_fee_expense"],
  ]) {
    const posted = owner.query(
      `select post_transfer($1, $2, $3, '00000000-0000-0000-0000-000000000000', '2026-11-21', now(), 'test', '',
         array[row('custody', 'BTC', 10), row($4::text, 'BTC', -10)]::ledger_leg[])`,
      [randomUUID(), `test:${kind}`, kind, account],
    );
    await expect(posted).rejects.toThrow("two people decided");
  }
  const gifted = await give(product, staff, (await createTestCustomer(db)).id, { units: 1_000n });
  await expect(
    owner.query("update adjustments set kind = 'equity-drawing' where id = $1", [gifted]),
  ).rejects.toThrow();
});

test("the node shows what a transaction of ours cost, once a block holds it", async () => {
  const to = await bitcoin.call<string>("getnewaddress", [], "miner");
  const txid = await bitcoin.pay(to, 1_000_000n);
  const config = { bitcoinChain: { url: bitcoin.url }, ethereumChain: null };
  expect(await findOutlay(config, "bitcoin", txid, 5000)).toBeNull();
  await bitcoin.mine();
  const { fee } = await bitcoin.call<{ fee: number }>("gettransaction", [txid], "miner");
  const seen = await findOutlay(config, "bitcoin", txid, 5000);
  expect(seen?.feeUnits).toBe(BigInt(Math.round(-fee * 1e8)));
  expect(seen?.outputs).toContain(1_000_000n);
  expect(await findOutlay(config, "bitcoin", "ab".repeat(32), 5000)).toBeNull();
});

test("every drawing and move in the ledger has its adjustment, leg by leg", async () => {
  const { rows } = await db.$client.query(`
    select t.key from ledger_transfers t
     where t.kind in ('equity-drawing', 'wallet-transfer') and not exists (
       select from adjustments a
        where a.transfer_id = t.id and a.state = 'approved' and a.kind = t.kind
          and t.key = 'adjustment:' || a.id and t.legs = legs_of_adjustment(a))`);
  expect(rows).toEqual([]);
});
