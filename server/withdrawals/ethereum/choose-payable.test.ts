import { afterAll, expect, test } from "vitest";
import { toChecksumAddress } from "#core/payments/address.ts";
import {
  asked,
  ether,
  batchTime as now,
  refusal,
  startEthereumBatches,
} from "#tests/factories/ethereum-batches.ts";
import {
  aRequest,
  createApprovedWithdrawal,
  createWithdrawer,
} from "#tests/factories/withdrawal.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { NodeError } from "../../chain/json-rpc.ts";
import { listDue } from "../batches/form-batch.ts";
import { getDue } from "../batches/get-readiness.ts";
import { findWithdrawal } from "../find-withdrawal.ts";
import { liftHold, placeHold } from "../hold-withdrawal.ts";
import { requestWithdrawal } from "../request-withdrawal.ts";

const hold = { reason: "Looked at", endsAt: new Date("2026-03-20T00:00:00Z") };
const { db, owner } = await testDatabase();
const batches = await startEthereumBatches(db);
const { ethereum, hotWallet, grace, approved, form, newest, states } = batches;
afterAll(() => ethereum.stop());

async function settle(batchId: string) {
  await batches.send(await batches.signAndOrder(batchId));
  await ethereum.mine();
  await ethereum.finalize();
  await batches.follow();
}

test("what fails and what is not covered keeps nothing waiting that comes after it, and is asked about last the next time", async () => {
  const ofEther = { now: asked, coin: "ETH" as const, units: ether };
  const contract = toChecksumAddress(await ethereum.deploy("Splitter"));
  const failing: string[] = [];
  for (let i = 0; i < 65; i++) {
    const customer = await createWithdrawer(db, { ...ofEther, address: contract });
    const wanted = { customer, operator: grace, now: asked, amount: ether / 10n };
    failing.push(await createApprovedWithdrawal(db, wanted));
  }
  await hotWallet.spendTokens((await batches.tokensOf(hotWallet.address)) - 250_000_000n);
  await ethereum.mine();
  const ofTokens = { now: asked, coin: "USDT" as const, units: 500_000_000n };
  const { address } = (await approved("ETH"))[0] ?? {};
  const large = await createWithdrawer(db, { ...ofTokens, ...(address && { address }) });
  const uncovered = { customer: large, operator: grace, now: asked, amount: 300_000_000n };
  await createApprovedWithdrawal(db, uncovered);
  const small = await approved("USDT", "ETH", "USDT");

  const batchId = await form();
  expect((await newest(batchId)).pays).toHaveLength(4);
  expect(await states(small)).toEqual(["batched", "batched", "batched"]);
  expect((await findWithdrawal(db, { withdrawalId: failing[64] ?? "" }))?.failedAt).toEqual(now);
  expect(await getDue(db, "ethereum", now)).toMatchObject({ payments: 66, failing: 65 });
  await settle(batchId);
  expect(await states(small)).toEqual(["settled", "settled", "settled"]);

  // Neither the tokens nor those that fail suffice for a batch; what comes next does.
  expect(await refusal(form())).toBe("withdrawals/would-fail");
  const [later] = await approved("ETH");
  const order = (await listDue(db, "ethereum", { now })).map(({ id }) => id);
  expect([order.length, order.indexOf(later?.withdrawalId ?? "")]).toEqual([67, 1]);
  // The contract takes ether after all: it is paid, and no longer said to fail.
  await ethereum.call("anvil_setCode", [contract, "0x"]);
  const second = await form();
  expect((await newest(second)).pays).toHaveLength(64);
  expect((await findWithdrawal(db, { withdrawalId: failing[0] ?? "" }))?.failedAt).toBeNull();
  await settle(second);
  expect(await getDue(db, "ethereum", now)).toMatchObject({ payments: 3, failing: 2 });
});

test("a contract that passes when it is asked and refuses ether in the block gets no other payment", async () => {
  const [eve] = await approved("ETH");
  const asking = { customer: eve, operator: grace, now: asked, amount: ether / 10n };
  if (!eve) throw new Error("one was made");
  const waiting = await createApprovedWithdrawal(db, { ...asking, customer: eve });
  const alone = { ...eve, withdrawalId: waiting };
  await placeHold(db, grace, { ...hold, withdrawalId: waiting }, asked);
  const batchId = await form();
  await ethereum.call("anvil_setCode", [eve.address, "0x60006000fd"]);
  await settle(batchId);
  expect(await states([eve, alone])).toEqual(["returned", "approved"]);
  const [{ id: holdId } = { id: "" }] =
    (await findWithdrawal(db, { withdrawalId: waiting }))?.holds ?? [];
  await liftHold(db, grace, { withdrawalId: waiting, holdId }, asked);

  expect(await getDue(db, "ethereum", now)).toMatchObject({ stopped: 1 });
  expect((await findWithdrawal(db, { withdrawalId: waiting }))?.isRefused).toBe(true);
  const again = aRequest(eve, { amount: ether / 10n });
  expect(await refusal(requestWithdrawal(db, again, asked))).toBe(
    "withdrawals/address-refused-ether",
  );
  const batched = owner.query(
    "update withdrawals set state = 'batched', batch_id = $2 where id = $1",
    [waiting, batchId],
  );
  await expect(batched).rejects.toThrow("ether goes nowhere that refused it");
});

test("a contract is paid ether once in a batch, and what a node refuses for its own sake says nothing of a payment", async () => {
  const [ada] = await approved("ETH");
  if (!ada) throw new Error("one was made");
  const again = { customer: ada, operator: grace, now: asked, amount: ether / 10n };
  const both = [ada.withdrawalId, await createApprovedWithdrawal(db, again)];
  // It does nothing, and needs a little gas for that.
  await ethereum.call("anvil_setCode", [ada.address, "0x5b5b00"]);
  const { estimateGas } = ethereum.node;
  ethereum.node.estimateGas = () =>
    Promise.reject(new NodeError("refused", "eth_estimateGas: too many requests", -32005));
  expect(await refusal(form())).toBe("withdrawals/node-does-not-answer");
  ethereum.node.estimateGas = estimateGas;
  expect((await findWithdrawal(db, { withdrawalId: ada.withdrawalId }))?.failedAt).toBeNull();
  const { pays } = await newest(await form());
  expect(both.map((id) => pays.includes(id))).toEqual([true, false]);
});
