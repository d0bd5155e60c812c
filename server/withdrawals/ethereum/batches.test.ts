import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { toChecksumAddress } from "#core/payments/address.ts";
import { eq } from "#server/platform/sql.ts";
import {
  asked,
  ether,
  gwei,
  batchTime as now,
  price,
  refusal,
  startEthereumBatches,
} from "#tests/factories/ethereum-batches.ts";
import {
  createApprovedWithdrawal,
  createWithdrawer,
  nobodysBrowser,
  testTwoPeople,
} from "#tests/factories/withdrawal.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { getBalances } from "../../ledger/get-balances.ts";
import { verifyBooks } from "../../verify-books.ts";
import { findBatch } from "../batches/find-batch.ts";
import { findFormed, formBatch } from "../batches/form-batch.ts";
import { getDue } from "../batches/get-readiness.ts";
import { orderBroadcast } from "../batches/order-broadcast.ts";
import { readUnsigned } from "../batches/read-unsigned.ts";
import { rebuildBatch } from "../batches/rebuild-batch.ts";
import { AnotherPayment } from "../batches/upload-signed.ts";
import { cancelWithdrawal } from "../cancel-withdrawal.ts";
import { findWithdrawal } from "../find-withdrawal.ts";
import { withdrawalBatches } from "../schema.ts";
import { followPayments } from "./follow-payments.ts";
import { planEthereumBatch, planEthereumVersion } from "./plan-batch.ts";

const { db, owner } = await testDatabase();
const {
  grace,
  alan,
  ethereum,
  hotWallet,
  source,
  approved,
  form,
  newest,
  upload,
  signAndOrder,
  states,
  house,
  send,
  follow,
  tokensOf,
} = await startEthereumBatches(db);
afterAll(() => ethereum.stop());
// Every transfer of this file has its document, and says the same.
afterAll(async () => {
  expect((await verifyBooks(db)).filter(({ holds }) => !holds)).toEqual([]);
});

test("ether and USDT leave together: taken away, signed elsewhere, compared, sent once, settled when final", async () => {
  expect(await refusal(form())).toBe("withdrawals/nothing-due");
  const people = await approved("ETH", "USDT", "USDT");
  const [ada, bob, eve] = people;
  if (!ada || !bob || !eve) throw new Error("three were made");
  expect(await getDue(db, "ethereum", now)).toMatchObject({
    payments: 3,
    totals: { ETH: ether / 10n - 5n * 10n ** 14n, USDT: 194_000_000n },
  });
  const dear = { maxFeePerGas: 50n * gwei, maxPriorityFeePerGas: gwei };
  expect(await refusal(form({ price: dear }))).toBe("withdrawals/fee-too-high");
  const nobody = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
  expect(await refusal(form({ price: nobody }))).toBe("withdrawals/bad-fee-rate");
  const elsewhere = planEthereumBatch(db, { ...source(), price, chainIds: [1] }, now);
  expect(await refusal(elsewhere)).toBe("withdrawals/wrong-chain");

  const submissionKey = randomUUID();
  const plan = await planEthereumBatch(db, { ...source(), price }, now);
  const batch = { submissionKey, twoPeople: testTwoPeople, plan };
  const [first, again] = await Promise.all([1, 2].map(() => formBatch(db, grace, batch, now)));
  const batchId = first?.batchId ?? "";
  expect(again?.batchId).toBe(batchId);
  // Nothing more is due, but the form is known; one that says something else is not taken for it.
  const said = { chain: "ethereum", purpose: "withdrawals", ...price } as const;
  expect(await findFormed(db, submissionKey, said)).toEqual({ batchId });
  expect(await findFormed(db, randomUUID(), said)).toBeNull();
  for (const other of [dear, { purpose: "consolidation" as const }, { outpoints: ["another:0"] }])
    expect(await refusal(findFormed(db, submissionKey, { ...said, ...other }))).toBe(
      "platform/sent-otherwise",
    );
  expect(await states(people)).toEqual(["batched", "batched", "batched"]);
  const { unsigned, spends, feeUnits } = await newest(batchId);
  expect(spends).toEqual([0, 1, 2].map((nonce) => `${hotWallet.address}:${nonce}`));
  const file = JSON.parse(Buffer.from(unsigned).toString());
  expect(file.transactions[1].pays).toEqual({ coin: "USDT", amount: "97.000000", to: bob.address });
  expect(await readUnsigned(db, { batchId, number: 1 })).toMatchObject({ chain: "ethereum" });

  // What is not the batch, whole and signed by who pays, is refused with what differs.
  const differences = async (signed: string[]) => {
    const error = await upload(batchId, Buffer.from(signed.join("\n"))).catch((each) => each);
    expect(error).toBeInstanceOf(AnotherPayment);
    return (error as AnotherPayment).differences.join(" ");
  };
  expect(await refusal(upload(batchId, Buffer.from("{nonsense")))).toBe("withdrawals/unreadable");
  expect(await refusal(upload(batchId, Buffer.from("0x02c0")))).toBe("withdrawals/unreadable");
  expect(await refusal(upload(batchId, unsigned))).toBe("withdrawals/not-signed");
  const bytes = file.transactions.map((each: { unsigned: string }) => each.unsigned);
  expect(await refusal(upload(batchId, Buffer.from(bytes.join("\n"))))).toBe(
    "withdrawals/not-signed",
  );
  const signed = await hotWallet.sign(unsigned);
  expect(await differences(signed.slice(1))).toBe("Nonce 0 is missing.");
  expect(await differences([...signed, signed[0] ?? ""])).toBe("Nonce 0 is there 2 times.");
  const changed = async (change: Record<string, unknown>) =>
    differences([(await hotWallet.sign(unsigned, change))[0] ?? "", ...signed.slice(1)]);
  expect(await changed({ value: "0x1" })).toMatch(/Nonce 0: its value is 0.000000000000000001 ETH/);
  expect(await changed({ to: ethereum.accounts[0] })).toMatch(/Nonce 0: its receiver is 0x/);
  expect(await changed({ data: "0x00" })).toMatch(/its data is 0x00 instead of 0x/);
  expect(await changed({ gas: "0x5209" })).toMatch(/its gas limit is 21001 instead of 21000/);
  expect(await changed({ maxFeePerGas: "0x77359400" })).toMatch(
    /its highest fee is 2000000000 wei/,
  );
  expect(await changed({ maxPriorityFeePerGas: "0x1" })).toMatch(/its tip is 1 wei/);
  expect(await changed({ nonce: "0x9" })).toMatch(
    /Nonce 0 is missing. Nonce 9 is not in the batch/,
  );
  expect(await changed({ from: ethereum.accounts[2] })).toMatch(/Nonce 0: signed by 0x/);
  expect((await newest(batchId)).signedAt).toBeNull();

  const wasPaid = hotWallet.address;
  const [etherBefore, tokensBefore] = [
    await ethereum.node.getBalance(wasPaid),
    await tokensOf(wasPaid),
  ];
  const booked = [await house("custody", "ETH"), await house("custody", "USDT")];
  const versionId = await signAndOrder(batchId);
  expect(await refusal(upload(batchId, Buffer.from(signed.join("\n"))))).toBe("done");
  await Promise.all([1, 2, 3].map(() => send(versionId)));
  expect(await states(people)).toEqual(["broadcast", "broadcast", "broadcast"]);
  const { txid } = (await findWithdrawal(db, bob)) ?? {};
  const { hash } = (await ethereum.node.getTransaction(txid ?? "")) ?? {};
  expect(hash).toBe(txid);

  await ethereum.mine();
  await follow();
  expect((await findBatch(db, batchId))?.withdrawals[1]?.minedHeight).toBeGreaterThan(0);
  expect(await states(people)).toEqual(["broadcast", "broadcast", "broadcast"]);
  // The block goes, and the payments with it: it is noted, and they are sent again by who has them.
  await ethereum.reorganise(1);
  await follow();
  expect((await findBatch(db, batchId))?.withdrawals[1]?.minedHeight).toBeNull();
  await ethereum.mine();
  await ethereum.finalize();
  await Promise.all([1, 2, 3].map(() => follow()));
  expect(await states(people)).toEqual(["settled", "settled", "settled"]);
  expect((await findBatch(db, batchId))?.state).toBe("settled");
  expect(await ethereum.node.getBalance(ada.address)).toBe(ether / 10n - 5n * 10n ** 14n);
  expect([await tokensOf(bob.address), await tokensOf(eve.address)]).toEqual([
    97_000_000n,
    97_000_000n,
  ]);
  expect((await getBalances(db, bob.id)).USDT).toEqual({ available: 400_000_000n, held: 0n });
  // To the atom: what left the address is what left custody, the network's fee among it.
  const etherGone = etherBefore - (await ethereum.node.getBalance(wasPaid));
  const bookedNow = [await house("custody", "ETH"), await house("custody", "USDT")];
  expect([etherGone, tokensBefore - (await tokensOf(wasPaid))]).toEqual(
    booked.map((units, i) => units - (bookedNow[i] ?? 0n)),
  );
  expect(etherGone - (ether / 10n - 5n * 10n ** 14n)).toBeLessThanOrEqual(feeUnits);
  expect(await house("withdrawal_fee_revenue", "USDT")).toBe(6_000_000n);
});

test("stuck payments are replaced with higher fees under their nonces; what is left out comes back once that is final", async () => {
  const people = await approved("ETH", "USDT");
  const [kept, left] = people;
  if (!kept || !left) throw new Error("two were made");
  const batchId = await form();
  expect(await refusal(form())).toBe("withdrawals/nothing-due");
  await approved("ETH");
  expect(await refusal(form())).toBe("withdrawals/batch-goes-on");
  await send(await signAndOrder(batchId));
  const again = async (wanted: { price: typeof price; after?: number; leaveOut?: string[] }) => {
    const { after = 1, leaveOut = [] } = wanted;
    const plan = await planEthereumVersion(ethereum.node, wanted.price);
    return rebuildBatch(db, grace, { batchId, after, leaveOut, reason: "Stuck", plan }, now);
  };
  const higher = { maxFeePerGas: 6n * gwei, maxPriorityFeePerGas: 2n * gwei };
  expect(await refusal(again({ price }))).toBe("withdrawals/fee-not-higher");
  expect(await refusal(again({ price: { ...higher, maxPriorityFeePerGas: gwei } }))).toBe(
    "withdrawals/fee-not-higher",
  );
  // A slip of the finger is no smaller where a batch is built again.
  const slip = { maxFeePerGas: 900n * gwei, maxPriorityFeePerGas: 2n * gwei };
  expect(await refusal(again({ price: slip }))).toBe("withdrawals/fee-too-high");
  const rebuilt = await Promise.allSettled([
    again({ price: higher, leaveOut: [left.withdrawalId] }),
    again({ price: higher, leaveOut: [left.withdrawalId] }),
  ]);
  expect(rebuilt.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const { spends, pays } = await newest(batchId);
  expect([spends.length, pays]).toEqual([2, [kept.withdrawalId]]);
  // What nodes hold is the version that was ordered, not the newest one.
  expect(await refusal(again({ price, after: 2 }))).toBe("withdrawals/fee-not-higher");
  await send(await signAndOrder(batchId));
  expect((await newest(batchId)).fault).toBeNull();
  await ethereum.mine();
  await follow();
  expect(await states(people)).toEqual(["broadcast", "broadcast"]);
  expect(await refusal(again({ price: { ...higher, maxFeePerGas: 8n * gwei }, after: 2 }))).toBe(
    "withdrawals/all-in-blocks",
  );
  await ethereum.finalize();
  await follow();
  expect(await states(people)).toEqual(["settled", "returned"]);
  expect(await tokensOf(left.address)).toBe(0n);
  expect((await getBalances(db, left.id)).USDT).toEqual({ available: 500_000_000n, held: 0n });
  expect(await ethereum.node.getBalance(kept.address)).toBe(ether / 10n - 5n * 10n ** 14n);
  // The one that waited meanwhile leaves with the next batch.
  const next = await form();
  await send(await signAndOrder(next));
  await ethereum.mine();
  await ethereum.finalize();
  await follow();
  expect((await findBatch(db, next))?.state).toBe("settled");
});

test("a payment that the chain refuses comes back, and what the network took is the house's", async () => {
  const people = await approved("USDT");
  const batchId = await form();
  const expense = await house("network_fee_expense", "ETH");
  const versionId = await signAndOrder(batchId);
  await send(versionId);
  // The tokens go before the payment is mined: its transaction is in a block, and reverts.
  const all = await tokensOf(hotWallet.address);
  const slot = await ethereum.call<string>("anvil_setStorageAt", [
    ethereum.usdt,
    await storageOf(hotWallet.address),
    `0x${"0".repeat(64)}`,
  ]);
  expect(slot).toBe(true);
  await ethereum.mine();
  await ethereum.finalize();
  await Promise.all([follow(), follow()]);
  expect(await states(people)).toEqual(["returned"]);
  const found = await findWithdrawal(db, { withdrawalId: people[0]?.withdrawalId ?? "" });
  expect(found?.reason).toMatch(/chain refused the payment/);
  expect((await getBalances(db, people[0]?.id ?? "")).USDT).toEqual({
    available: 500_000_000n,
    held: 0n,
  });
  expect(await house("network_fee_expense", "ETH")).not.toBe(expense);
  expect((await findBatch(db, batchId))?.state).toBe("failed");
  // Without the tokens nothing is built at all; one that would fail for another reason neither.
  const [other] = await approved("USDT");
  expect(await refusal(form())).toBe("withdrawals/not-enough-coins");
  const { id: customerId, withdrawalId } = other ?? { id: "", withdrawalId: "" };
  await cancelWithdrawal(db, { customerId, withdrawalId, browser: nobodysBrowser }, now);
  await ethereum.payTokens(hotWallet.address, all);
  await ethereum.mine();
});

test("a nonce that the operator used himself ends the payment; the same payment under another id is the payment", async () => {
  await approved("USDT", "ETH");
  const batchId = await form();
  const open = (await findBatch(db, batchId))?.withdrawals ?? [];
  expect(open.map(({ asset }) => asset)).toEqual(["USDT", "ETH"]);
  const [overtaken, paid] = open;
  if (!overtaken || !paid) throw new Error("two are in it");
  await upload(
    batchId,
    Buffer.from((await hotWallet.sign((await newest(batchId)).unsigned)).join(" ")),
  );
  // By his own hand: first something else, then exactly the second payment, with another fee.
  await hotWallet.spendTokens(1n);
  const { address: to, units, feeUnits } = paid;
  const byHand = await ethereum.send({ from: hotWallet.address, to, value: units - feeUnits });
  await ethereum.mine(4);
  await ethereum.finalize();
  await send(await signAndOrder(batchId));
  expect((await newest(batchId)).fault).toMatch(/nonce/);
  // It is found also where the chain has taken it long before the batch was formed, as one may that left settled blocks.
  const [formed] = await db
    .select()
    .from(withdrawalBatches)
    .where(eq(withdrawalBatches.id, batchId));
  if (!formed) throw new Error("it was formed");
  const late = { ...formed, formedHeight: formed.formedHeight + 10_000 };
  const following = { node: ethereum.node, finality: "finalized" as const, batch: late };
  await Promise.all([
    followPayments(db, following, () => now),
    followPayments(db, following, () => now),
  ]);
  const outcomes = (await findBatch(db, batchId))?.withdrawals.map((each) => each.outcome);
  expect(outcomes).toEqual(["overtaken", "paid"]);
  expect((await findWithdrawal(db, { withdrawalId: paid.id }))?.txid).toBe(byHand);
  expect((await getBalances(db, overtaken.customerId)).USDT.held).toBe(0n);
  expect((await findBatch(db, batchId))?.state).toBe("settled");
});

test("what would fail stays out; above the limit a second person orders; PostgreSQL gives no nonce twice and lets nothing end unexplained", async () => {
  // A contract that takes no ether is left to staff; who is paid with it is paid without it.
  const refusing = { coin: "ETH" as const, units: ether, now: asked };
  const contract = toChecksumAddress(await ethereum.deploy("Splitter"));
  const customer = await createWithdrawer(db, { ...refusing, address: contract });
  const wanted = { customer, operator: grace, now: asked, amount: ether / 10n };
  const withdrawalId = await createApprovedWithdrawal(db, wanted);
  expect(await refusal(form())).toBe("withdrawals/would-fail");
  // Code at a customer's own address, which writes ten words into its storage at the cost of the house.
  const [greedy] = await approved("ETH");
  const writes = Array.from(
    { length: 10 },
    (_, i) => `600160${(i + 1).toString(16).padStart(2, "0")}55`,
  );
  await ethereum.call("anvil_setCode", [greedy?.address, `0x${writes.join("")}`]);
  expect(await refusal(form())).toBe("withdrawals/would-fail");
  const [ada] = await approved("ETH");
  const batchId = await form({ twoPeople: { ...testTwoPeople, ETH: { twoPeopleAboveUnits: 1n } } });
  expect((await findWithdrawal(db, { withdrawalId }))?.state).toBe("approved");
  const { unsigned, number } = await newest(batchId);
  const order = (operator = alan) => orderBroadcast(db, operator, { batchId, number }, now);
  expect(await refusal(order())).toBe("withdrawals/not-signed");
  await upload(batchId, await hotWallet.signFile(unsigned));
  expect(await refusal(order(grace))).toBe("withdrawals/second-person-needed");
  const tried = (text: string) =>
    owner.query(text, [ada?.withdrawalId]).then(
      () => "done",
      (error: { constraint?: string }) => error.constraint,
    );
  const set = (what: string) =>
    tried(`update withdrawal_payments set ${what} where withdrawal_id = $1`);
  expect(await set("nonce = nonce + 1")).toBe("payments_keep_their_nonce");
  expect(await set("outcome = 'paid', ended_at = now(), fee_units = 0")).toBe(
    "ended_payments_are_in_a_block",
  );
  const block =
    "mined_height = 1, mined_hash = 'a', mined_txid = 'b', outcome = 'paid', ended_at = now()";
  expect(await set(`${block}, fee_units = 5`)).toBe("fees_of_payments_are_posted");
  expect(
    await tried("update withdrawal_transactions set txid = '0x00' where withdrawal_id = $1"),
  ).toBe("transactions_are_never_rewritten");
  expect(
    await tried("update withdrawal_transactions set sent_at = now() where withdrawal_id = $1"),
  ).toBe("only_ordered_transactions_are_sent");
  expect(
    await tried("update withdrawals set state = 'returned', ended_at = now() where id = $1"),
  ).toBe("withdrawals_come_back_when_they_cannot_leave");
  expect(await tried("delete from withdrawal_payments where withdrawal_id = $1")).toBe(
    "withdrawal_payments_are_kept",
  );
});

/** Where the test token keeps an address's balance: its second mapping after three words and a supply. */
async function storageOf(address: string): Promise<string> {
  for (let slot = 0; slot < 8; slot++) {
    const key = `0x${address.slice(2).toLowerCase().padStart(64, "0")}${slot.toString(16).padStart(64, "0")}`;
    const place = await ethereum.call<string>("web3_sha3", [key]);
    const held = await ethereum.call<string>("eth_getStorageAt", [ethereum.usdt, place, "latest"]);
    if (BigInt(held) === (await tokensOf(address))) return place;
  }
  throw new Error("the token keeps its balances elsewhere");
}
