import { createHash, randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { PaymentResolution } from "#core/payments/payment-resolution.ts";
import { proposeOutlay } from "#tests/factories/adjustment.ts";
import { coinOfNobody, openTestWallet, testAddress } from "#tests/factories/chain.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { approveTestDeposit, createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { aTransfer } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import type { FoundPayment } from "../../chain/chain-reader.ts";
import { listPaymentsToSettle } from "../../chain/list-payments-to-settle.ts";
import { recordPayments } from "../../chain/record-payments.ts";
import { getBalances } from "../../ledger/get-balances.ts";
import { postTransfer } from "../../ledger/post-transfer.ts";
import { verifyLedger } from "../../ledger/verify/verify-ledger.ts";
import { readConfig } from "../../platform/config/read-config.ts";
import { openLog } from "../../platform/log/log.ts";
import { listResolutionsOf } from "./list-resolutions.ts";
import { decidePaymentResolution, proposePaymentResolution } from "./resolve-payments.ts";
import { settlePayments } from "./settle-payments.ts";

const { db, owner } = await testDatabase();
const files = testFiles();
const config = { ...readConfig({ AUTH_SECRET: "x".repeat(40) }), network: "regtest" as const };
const log = openLog("silent");
const grace = await createTestOperator(db, { canAct: true });
const key = await openTestWallet(db, grace);
const start = new Date("2026-11-20T12:00:00Z");
const minutes = (count: number) => new Date(start.getTime() + count * 60_000);
const block = { height: 900, hash: "ab".repeat(32), time: start };

await createTestPrice(db, { asset: "BTC", usdE8: 100_000n * 10n ** 8n, observedAt: start });
await owner.query(
  `insert into chain_positions (chain, began_at_height, height, hash, block_time, read_at)
   values ('bitcoin', 1, 1100, $1, $2, $2)`,
  ["cd".repeat(32), start],
);
await owner.query("insert into chain_blocks (chain, height, hash) values ('bitcoin', $1, $2)", [
  ...[block.height, block.hash],
]);

async function customer() {
  const { id } = await createTestCustomer(db);
  return { id, address: await testAddress(db, key, id) };
}

async function closedCustomer() {
  const found = await customer();
  await owner.query("update customers set closed_at = now() where id = $1", [found.id]);
  return found;
}

const someTxid = () => createHash("sha256").update(randomBytes(8)).digest("hex");

/** One confirmed transaction with so many outputs to one address. */
async function paid(
  address: string,
  { outputs = 1, units = 546n, at = start, txid = someTxid() } = {},
) {
  const payments = Array.from(
    { length: outputs },
    (_, outputIndex): FoundPayment => ({
      txid,
      outputIndex,
      asset: "BTC",
      address,
      units,
      coinbase: false,
      spends: [coinOfNobody],
      raw: new Uint8Array(1),
    }),
  );
  await db.transaction((tx) => recordPayments(tx, "bitcoin", payments, block, at));
  return txid;
}

async function settle(at: Date): Promise<void> {
  await owner.query(
    `insert into chain_sources (chain, health, detail, since, asked_at) values ('bitcoin', 'following', '', $1, $1)
     on conflict (chain) do update set asked_at = $1`,
    [at],
  );
  // As the worker does: a pass that takes too long goes on with the next one.
  do await settlePayments({ db, config, log }, at);
  while ((await due(at)).length > 0);
}

function due(at: Date, limit = 1) {
  const { confirmations: needed } = config;
  return listPaymentsToSettle(db, "bitcoin", { needed, now: at, limit });
}

async function available(customerId: string): Promise<bigint> {
  return (await getBalances(db, customerId)).BTC.available;
}

async function paymentOf(txid: string) {
  const { rows } = await owner.query("select * from chain_payments where txid = $1 limit 1", [
    txid,
  ]);
  return rows[0];
}

describe("a payment that cannot be credited", () => {
  test("keeps no other one waiting, however many there are", async () => {
    const [eve, ada] = [await closedCustomer(), await customer()];
    await paid(eve.address, { outputs: 520 });
    await paid(ada.address, { units: 70_000n, at: minutes(1) });
    await settle(minutes(2));
    expect(await available(ada.id)).toBe(70_000n);
    // Nor does it cost more with each pass: none of them is asked for in the same minute again.
    expect(await due(minutes(2))).toEqual([]);
    // A good one comes before those that were refused, also when all of them are due again.
    await paid(ada.address, { units: 1_000n, at: minutes(600) });
    const [first] = await due(minutes(600));
    expect(first?.units).toBe(1_000n);
    // And all of them are credited when the cause is gone.
    await owner.query("update customers set closed_at = null where id = $1", [eve.id]);
    await settle(minutes(600));
    expect(await available(eve.id)).toBe(520n * 546n);
  });

  test("says why, and is credited at once when the account is opened again", async () => {
    const eve = await closedCustomer();
    const txid = await paid(eve.address, { units: 5_000n });
    await settle(minutes(1));
    expect(await paymentOf(txid)).toMatchObject({
      refusal: "deposits/account-closed",
      refusals: 1,
    });
    await settle(minutes(2));
    expect((await paymentOf(txid)).refusals).toBe(2);
    await settle(minutes(3));
    expect((await paymentOf(txid)).refusals).toBe(2);
    await owner.query("update customers set closed_at = null where id = $1", [eve.id]);
    await settle(minutes(3));
    expect(await available(eve.id)).toBe(5_000n);
    expect(await paymentOf(txid)).toMatchObject({ refusal: null, refusals: 0 });
  });

  test("by an error that nobody foresaw keeps no other one waiting either", async () => {
    const [eve, ada] = [await customer(), await customer()];
    const txid = await paid(eve.address, { units: 6_000n });
    await paid(ada.address, { units: 6_000n });
    await owner.query(
      `create function fail() returns trigger language plpgsql as $$ begin raise 'odd'; end $$`,
    );
    await owner.query(
      `create trigger fails before insert on deposits for each row when (new.customer_id = '${eve.id}') execute function fail()`,
    );
    await settle(minutes(4));
    expect(await available(ada.id)).toBe(6_000n);
    expect(await paymentOf(txid)).toMatchObject({ refusal: "deposits/unexpected-error" });
    await owner.query("drop trigger fails on deposits");
    await settle(minutes(6));
    expect(await available(eve.id)).toBe(6_000n);
  });

  test("is counted once, and the good ones once, when two workers settle at the same time", async () => {
    const [eve, ada] = [await closedCustomer(), await customer()];
    await paid(eve.address, { outputs: 60 });
    await paid(ada.address, { outputs: 20, units: 900n, at: minutes(1) });
    await Promise.all([settle(minutes(8)), settle(minutes(8))]);
    expect(await available(ada.id)).toBe(18_000n);
  });
});

describe("what two people say of a payment", () => {
  const amir = createTestOperator(db, { firstName: "Amir" });
  const rule = async (paymentId: string, says: PaymentResolution, withSimilar = false) => {
    const wanted = { paymentId, says, reason: "Looked at the transaction.", withSimilar };
    await proposePaymentResolution(db, grace, wanted, start);
    const [resolution] = await listResolutionsOf(db, paymentId);
    const confirmed = { resolutionId: resolution?.id ?? "", into: "confirmed" as const };
    await expect(decidePaymentResolution(db, grace, confirmed, start)).rejects.toThrow(
      "deposits/own-resolution",
    );
    await decidePaymentResolution(db, await amir, confirmed, start);
  };

  test("sets a whole flood aside, and nobody is asked again", async () => {
    const eve = await closedCustomer();
    const txid = await paid(eve.address, { outputs: 30 });
    await settle(minutes(700));
    await rule((await paymentOf(txid)).id, "set-aside", true);
    await settle(minutes(2000));
    const { rows } = await owner.query(
      "select distinct resolved_as, refusals, settled_at from chain_payments where txid = $1",
      [txid],
    );
    expect(rows).toEqual([{ resolved_as: "set-aside", refusals: 0, settled_at: null }]);
    const wanted = { paymentId: (await paymentOf(txid)).id, says: "customers", reason: "No." };
    await expect(
      proposePaymentResolution(db, grace, { ...wanted, withSimilar: false } as never, start),
    ).rejects.toThrow("deposits/resolved-already");
  });

  test("takes a credit back that was the operator's own; what was used is taken from what arrives", async () => {
    const ada = await customer();
    const txid = await paid(ada.address, { units: 50_000n });
    await settle(minutes(2001));
    expect(await available(ada.id)).toBe(50_000n);
    const spend = { available: -30_000n, conversion: 30_000n };
    await postTransfer(db, aTransfer({ kind: "conversion", ownerId: ada.id, moves: spend }));
    const { id } = await paymentOf(txid);
    const aside = { paymentId: id, says: "set-aside", reason: "No.", withSimilar: false } as const;
    await expect(proposePaymentResolution(db, grace, aside, start)).rejects.toThrow(
      "deposits/credited-already",
    );
    const stays = async () => {
      const asked = "select is_credit_taken_back($1, 'BTC') as stays";
      return (await owner.query(asked, [ada.id])).rows[0].stays;
    };
    expect(await stays()).toBe(false);
    await rule(id, "operators");
    // Nothing leaves from here on, whenever the worker comes to it.
    expect(await stays()).toBe(true);
    await settle(minutes(2002));
    expect((await getBalances(db, ada.id)).BTC).toEqual({ available: 0n, held: 20_000n });
    expect(await stays()).toBe(true);
    await paid(ada.address, { units: 45_000n });
    await settle(minutes(2003));
    expect(await stays()).toBe(false);
    expect((await getBalances(db, ada.id)).BTC).toEqual({ available: 15_000n, held: 0n });
    expect(await paymentOf(txid)).toMatchObject({ settled_at: null, counts: false });
    // Now it can be counted as what it was.
    await proposeOutlay({ db, files }, grace, { kind: "wallet-transfer", units: 50_000n, txid });
    const { rows } = await owner.query("select state from deposits where txid = $1", [txid]);
    expect(rows).toEqual([{ state: "reversed" }]);
    expect((await verifyLedger(db)).filter(({ holds }) => !holds)).toEqual([]);
  });

  test("is not overruled by one who approves a slip", async () => {
    const [eve, ada] = [await closedCustomer(), await customer()];
    const txid = await paid(eve.address, { units: 9_000n });
    await settle(minutes(2100));
    await rule((await paymentOf(txid)).id, "set-aside");
    const approve = async (customerId: string, units: bigint, on: string, outputIndex?: number) => {
      const deposit = await createTestDeposit({ db, files }, { customerId, claimedUsdCents: 900n });
      const said = {
        quantityUnits: units,
        txid: on,
        ...(outputIndex !== undefined && { outputIndex }),
      };
      return approveTestDeposit(db, deposit, { customerId, approvedBy: grace, ...said });
    };
    const refused = "deposits/not-what-the-chain-shows";
    await expect(approve(ada.id, 9_000n, txid)).rejects.toThrow(refused);
    // What arrives at one customer's address is not another's, nor another amount.
    const bob = await customer();
    const open = await paid(ada.address, { units: 8_000n });
    await expect(approve(bob.id, 8_000n, open)).rejects.toThrow(refused);
    await expect(approve(bob.id, 8_000n, open, 0)).rejects.toThrow(refused);
    await expect(approve(ada.id, 8_001n, open, 0)).rejects.toThrow(refused);
    await approve(ada.id, 8_000n, open);
    await settle(minutes(2200));
    expect(await available(ada.id)).toBe(8_000n);
    expect(await paymentOf(open)).toMatchObject({ refusals: 0, settled_at: expect.any(Date) });
  });

  test("a slip stands for one payment of a transaction, and for no output beside it", async () => {
    const ada = await customer();
    const txid = await paid(ada.address, { units: 6_000n, outputs: 2 });
    const approve = async (units: bigint, outputIndex?: number) => {
      const { id: customerId } = ada;
      const deposit = await createTestDeposit({ db, files }, { customerId, claimedUsdCents: 900n });
      const said = {
        quantityUnits: units,
        txid,
        ...(outputIndex !== undefined && { outputIndex }),
      };
      return approveTestDeposit(db, deposit, { customerId, approvedBy: grace, ...said });
    };
    for (const [units, output] of [
      [12_000n, undefined],
      [6_000n, undefined],
      [6_000n, 5],
      [12_000n, 0],
    ] as const)
      await expect(approve(units, output)).rejects.toThrow("deposits/not-what-the-chain-shows");
    // Staff and the worker at once: neither waits for the other for ever, and each output is credited once.
    await Promise.all([approve(6_000n, 0).catch(() => {}), settle(minutes(2250))]);
    await settle(minutes(2260));
    expect(await available(ada.id)).toBe(12_000n);
  });

  test("is not parted from others that one approval stands for", async () => {
    const ada = await customer();
    const early = someTxid();
    const said = { customerId: ada.id, approvedBy: grace, quantityUnits: 14_000n, txid: early };
    await createTestDeposit({ db, files }, said);
    await paid(ada.address, { units: 7_000n, outputs: 2, txid: early });
    await settle(minutes(2270));
    await expect(rule((await paymentOf(early)).id, "operators")).rejects.toThrow(
      "deposits/approved-together",
    );
  });

  test("is asked for where a slip of somebody else was credited for it before it was seen", async () => {
    const [ada, bob] = [await customer(), await customer()];
    const early = someTxid();
    const said = { customerId: bob.id, approvedBy: grace, quantityUnits: 7_000n, txid: early };
    await createTestDeposit({ db, files }, said);
    await paid(ada.address, { units: 7_000n, txid: early });
    await settle(minutes(2300));
    expect(await paymentOf(early)).toMatchObject({
      settled_at: null,
      refusal: "deposits/payment-already-credited",
    });
    await rule((await paymentOf(early)).id, "set-aside");
    await settle(minutes(2400));
    expect(await paymentOf(early)).toMatchObject({ settled_at: null, resolved_as: "set-aside" });
    expect(await available(ada.id)).toBe(0n);
  });

  test.each(["set-aside", "customers"] as const)(
    "%s is not confirmed once the payment is credited",
    async (says) => {
      const eve = await closedCustomer();
      const txid = await paid(eve.address, { units: 7_000n });
      await settle(minutes(2500));
      const { id } = await paymentOf(txid);
      const wanted = { paymentId: id, says, reason: "Closed.", withSimilar: false };
      await proposePaymentResolution(db, grace, wanted, start);
      await owner.query("update customers set closed_at = null where id = $1", [eve.id]);
      await settle(minutes(2501));
      expect(await available(eve.id)).toBe(7_000n);
      const [resolution] = await listResolutionsOf(db, id);
      const decide = async (into: "confirmed" | "declined") =>
        decidePaymentResolution(
          db,
          await amir,
          { resolutionId: resolution?.id ?? "", into },
          start,
        );
      await expect(decide("confirmed")).rejects.toThrow("deposits/credited-already");
      await settle(minutes(2502));
      expect(await available(eve.id)).toBe(7_000n);
      await decide("declined");
      expect(await paymentOf(txid)).toMatchObject({ resolved_as: null });
    },
  );

  test("is about the payments of the proposal, and of no other one", async () => {
    const eve = await closedCustomer();
    const [first, second] = [
      await paid(eve.address, { units: 7_000n }),
      await paid(eve.address, { units: 8_000n }),
    ];
    await settle(minutes(2600));
    const { id } = await paymentOf(first);
    const wanted = { paymentId: id, says: "set-aside", reason: "Closed." } as const;
    await proposePaymentResolution(db, grace, { ...wanted, withSimilar: false }, start);
    const [resolution] = await listResolutionsOf(db, id);
    const grow = () =>
      owner.query("insert into resolved_payments (resolution_id, payment_id) values ($1, $2)", [
        ...[resolution?.id, ids.at(-1)],
      ]);
    const ids = [id, (await paymentOf(second)).id];
    await expect(grow()).rejects.toThrow("payments that its proposal names");
    await owner.query(
      "alter table resolved_payments disable trigger resolutions_name_their_payments_at_once",
    );
    await grow();
    await owner.query(
      "alter table resolved_payments enable always trigger resolutions_name_their_payments_at_once",
    );
    const { rows } = await owner.query("select sha256_of_resolved($1) as both", [resolution?.id]);
    const sorted = createHash("sha256").update(ids.toSorted().join("\n")).digest("hex");
    expect(rows[0].both).toBe(sorted);
    // Whoever confirms has read of one payment.
    const [act, { id: colleague }] = [randomUUID(), await amir];
    await owner.query(
      `insert into audit_log (id, operator_id, act, subject, detail, occurred_at)
       values ($1, $2, 'deposits/confirm-resolution', 'payment-resolution:' || $3::text, $4, now())`,
      [act, colleague, resolution?.id, { payments: 1, sha256OfPayments: "0" }],
    );
    await expect(
      owner.query(
        "update payment_resolutions set state = 'confirmed', decided_by = $1, decided_by_act = $2, decided_at = now() where id = $3",
        [colleague, act, resolution?.id],
      ),
    ).rejects.toThrow("confirmed for what it names");
  });

  test("is said by two people, whatever the application writes", async () => {
    const ada = await customer();
    const txid = await paid(ada.address, { units: 5_000n });
    await expect(
      owner.query(
        "update chain_payments set resolved_as = 'operators', resolution_id = (select id from payment_resolutions limit 1) where txid = $1",
        [txid],
      ),
    ).rejects.toThrow("said by two people");
  });
});

test("a block with more payments than one statement takes is recorded whole", async () => {
  const ada = await customer();
  const txid = await paid(ada.address, { outputs: 6_000, units: 1n });
  const { rows } = await owner.query(
    "select count(*)::int as n from chain_payments where txid = $1",
    [txid],
  );
  expect(rows[0].n).toBe(6_000);
});
