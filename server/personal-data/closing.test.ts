import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Coin } from "#core/asset.ts";
import { bounds } from "#core/payments/bounds.ts";
import { chainOf } from "#core/payments/withdrawal.ts";
import { retention } from "#core/retention.ts";
import { eraseSlips } from "#server/deposits/slips/erase-slips.ts";
import { changePhrase } from "#server/identity/settings/change-phrase.ts";
import { changeSettings } from "#server/identity/settings/change-settings.ts";
import { markOf } from "#server/identity/settings/settings.ts";
import { approveKyc } from "#server/kyc/approve-kyc.ts";
import { declineKyc } from "#server/kyc/decline-kyc.ts";
import { eraseKycOf, eraseOldKyc } from "#server/kyc/erase-kyc-of.ts";
import { getBalances } from "#server/ledger/get-balances.ts";
import { postTransfer } from "#server/ledger/post-transfer.ts";
import { TooManyAttempts } from "#server/platform/rate-limit.ts";
import { sql } from "#server/platform/sql.ts";
import { raiseFlag } from "#server/staff-notes/raise-flag.ts";
import { writeNote } from "#server/staff-notes/write-note.ts";
import {
  newEthereumDescriptor,
  openTestWallet,
  seePayment,
  testAddress,
} from "#tests/factories/chain.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer, testPassword, testSite } from "#tests/factories/customer.ts";
import { createTestDeposit, createTestSlip, rejectTestDeposit } from "#tests/factories/deposit.ts";
import { allYes, createTestSubmission, viewTestDocuments } from "#tests/factories/kyc.ts";
import { createTestThread } from "#tests/factories/message.ts";
import { createTestSubscriber } from "#tests/factories/newsletter.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { aTransfer } from "#tests/factories/transfer.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";
import { askClosing, closeWhatWaited, withdrawClosing } from "./ask-closing.ts";
import { eraseCustomers } from "./erase-customers.ts";
import { keepAccount } from "./keep-account.ts";
import { leaveRemainder } from "./leave-remainder.ts";
import { postRemainder } from "./post-remainder.ts";

const product = await testApp();
const { app, db, owner } = product;
const browser = { ipAddress: "192.0.2.7", userAgent: "Test browser" };
const now = new Date("2026-11-21T10:00:00Z");
const later = (days: number) => new Date(now.getTime() + days * 86_400_000);
const site = testSite;
const olga = await createTestOperator(db);
const wallets = {
  bitcoin: await openTestWallet(db, olga),
  ethereum: await openTestWallet(db, olga, newEthereumDescriptor(), "ethereum"),
};

function ask(customerId: string, password = testPassword) {
  return askClosing(db, { customerId, password, browser, site, now });
}

async function returnToken(customerId: string): Promise<string> {
  const { rows } = await owner.query(
    "select body_text from mails where user_id = $1 and template = 'account-closed'",
    [customerId],
  );
  return /keep-account\?token=([\w-]+)/.exec(rows[0]?.body_text)?.[1] ?? "";
}

async function only(table: string, customerId: string) {
  const { rows } = await owner.query(`select * from ${table} where id = $1`, [customerId]);
  return rows[0];
}

test("asks for the password, signs everybody out, and lets nobody in", async () => {
  const ada = await createTestCustomer(db);
  const cookie = await signInAs(product, ada);
  await expect(ask(ada.id, "not my password")).rejects.toThrow("identity/wrong-password");
  expect((await product.request("/account", { cookie })).status).toBe(200);
  expect(await ask(ada.id)).toEqual({ state: "leaving" });
  expect((await product.request("/account", { cookie })).status).toBe(302);
  await expect(signInAs(product, ada)).rejects.toThrow("identity/sign-in-failed");
  // The owner of the tables is refused as well.
  const insert = `insert into sessions (id, user_id, token_sha256, expires_at, created_at, proved_by, proved_at)
    values (gen_random_uuid(), $1, 'x', now() + interval '1 day', now(), 'password', now())`;
  await expect(owner.query(insert, [ada.id])).rejects.toThrow("closed");
});

test("can be taken back for 14 days, by the mailed link, once", async () => {
  const ada = await createTestCustomer(db);
  await ask(ada.id);
  const token = await returnToken(ada.id);
  await expect(keepAccount(db, { token: "wrong", browser, now })).rejects.toThrow("link-unknown");
  await expect(keepAccount(db, { token, browser, now: later(14) })).rejects.toThrow("too-late");
  await keepAccount(db, { token, browser, now: later(13.9) });
  await signInAs(product, ada);
  await expect(keepAccount(db, { token, browser, now })).rejects.toThrow("link-unknown");
  await eraseCustomers(db, { site, now: later(15) });
  expect((await only("users", ada.id)).email).toBe(ada.email);
});

test("waits while something is owed: a balance, or a deposit that nobody decided", async () => {
  const ada = await createTestCustomer(db);
  await createTestDeposit(app, { customerId: ada.id });
  expect(await ask(ada.id)).toEqual({ state: "waiting" });
  expect(await ask(ada.id)).toEqual({ state: "waiting" });
  await closeWhatWaited(db, { site, now });
  expect((await only("customers", ada.id)).closed_at).toBeNull();
  // Not even the owner of the tables closes it.
  const close = `update account_closings set state = 'leaving', closed_at = now(),
    erase_after = now() + interval '14 days', return_token_sha256 = 'x' where customer_id = $1 and state = 'waiting'`;
  await expect(owner.query(close, [ada.id])).rejects.toThrow("something is owed");
  await withdrawClosing(db, { customerId: ada.id, browser, now });
  await withdrawClosing(db, { customerId: ada.id, browser, now });
  expect(await ask(ada.id)).toEqual({ state: "waiting" });
  const bob = await createTestCustomer(db);
  await createTestDeposit(app, { customerId: bob.id, approvedBy: olga });
  expect(await ask(bob.id)).toEqual({ state: "waiting" });
});

test("is asked for five times a day: each writes for ever and is a mail", async () => {
  const ada = await createTestCustomer(db);
  await creditTestDeposit(db, ada.id, 100n);
  for (let n = 0; n < 5; n += 1) {
    expect(await ask(ada.id)).toEqual({ state: "waiting" });
    // Asking again is the same request.
    expect(await ask(ada.id)).toEqual({ state: "waiting" });
    await withdrawClosing(db, { customerId: ada.id, browser, now });
  }
  await expect(ask(ada.id)).rejects.toBeInstanceOf(TooManyAttempts);
  const { rowCount } = await owner.query(
    "select from mails where user_id = $1 and template = 'closing-waits'",
    [ada.id],
  );
  expect(rowCount).toBe(5);
});

test("closes by itself once nothing is owed any more", async () => {
  const ada = await createTestCustomer(db);
  const cookie = await signInAs(product, ada);
  const { depositId } = await createTestDeposit(app, { customerId: ada.id });
  await ask(ada.id);
  await rejectTestDeposit(db, depositId, olga, { customerId: ada.id });
  await closeWhatWaited(db, { site, now });
  expect((await only("customers", ada.id)).closed_at).not.toBeNull();
  expect((await product.request("/account", { cookie })).status).toBe(302);
  await expect(createTestDeposit(app, { customerId: ada.id })).rejects.toThrow();
});

test("erases who it was after 14 days, and keeps the ledger under the id alone", async () => {
  const email = "ada.leaves@example.com";
  const ada = await createTestCustomer(db, {
    email,
    firstName: "Adalbert",
    lastName: "Leavington",
  });
  await owner.query("update users set email_verified = true where id = $1", [ada.id]);
  const browser = { ipAddress: "203.0.113.77", userAgent: "Browser of Adalbert" };
  const person = { browser, now };
  await changePhrase(db, {
    userId: ada.id,
    phrase: "blue heron",
    seen: markOf({ phrase: null }),
    ...person,
  });
  await changeSettings(db, {
    customerId: ada.id,
    part: "phone-changed",
    values: { phone: "+442079460958" },
    seen: markOf({ phone: null }),
    ...person,
  });
  await createTestThread(db, { email, customerId: ada.id, message: "Words of Adalbert" });
  await createTestSubscriber(db, { email });
  const about = { customerId: ada.id };
  await writeNote(db, olga, { noteId: randomUUID(), ...about, body: "Adalbert called twice" }, now);
  const flag = { kind: "look-closer-at-identity" as const, reason: "Adalbert or not", days: 30 };
  await raiseFlag(db, olga, { ...about, ...flag }, now);
  const decided = await createTestDeposit(app, { customerId: ada.id, rejectedBy: olga });
  await createTestSlip(app, ada.id, { name: "of-adalbert.png" });
  await signInAs(product, ada);
  await askClosing(db, { customerId: ada.id, password: testPassword, ...person, site });
  await eraseCustomers(db, { site, now: later(13.9) });
  expect((await only("users", ada.id)).email).toBe(email);
  // Two at once do it once.
  const erasing = Promise.all([1, 2].map(() => eraseCustomers(db, { site, now: later(14) })));
  expect((await erasing).reduce((sum, { erased }) => sum + erased, 0)).toBeGreaterThan(0);
  expect(await eraseCustomers(db, { site, now: later(14) })).toEqual({ erased: 0 });
  await eraseSlips(app, later(14 + 89));
  const { slipId } = decided;
  expect(await only("deposit_slips", slipId)).toMatchObject({ erased_at: null });
  await eraseSlips(app, later(14 + 91));
  const slip = await only("deposit_slips", slipId);
  expect(slip).toMatchObject({ original_name: "" });
  expect(await app.files.get(slip.file_key)).toBeNull();
  const words = [email, "Adalbert", "Leavington", "blue heron", "+442079460958", browser.ipAddress];
  expect(await placesOf([...words, browser.userAgent])).toEqual([]);
  expect(await only("deposits", decided.depositId)).toMatchObject({ customer_id: ada.id });
  // The address is free again, and nobody is reminded of its former owner.
  await createTestCustomer(db, { email });
});

/** Every table with a row in which one of the words stands, in whatever column. */
async function placesOf(words: string[]): Promise<string[]> {
  const { rows } = await owner.query(
    "select tablename from pg_tables where schemaname = 'public' order by 1",
  );
  const found: string[] = [];
  for (const { tablename } of rows) {
    // Drafts of slips are the sweep's, which has a test of its own.
    const { rowCount } = await owner.query(
      `select 1 from "${tablename}" t where exists (select from unnest($1::text[]) word where strpos(t::text, word) > 0)
         and not (to_jsonb(t) ? 'discarded_at' and to_jsonb(t) ->> 'discarded_at' is not null) limit 1`,
      [words],
    );
    if (rowCount) found.push(tablename);
  }
  return found;
}

test("one whom something keeps from being erased stays whole, and keeps no other", async () => {
  const [stuck, other] = [await createTestCustomer(db), await createTestCustomer(db)];
  await createTestThread(db, { email: stuck.email, customerId: stuck.id });
  for (const { id } of [stuck, other]) await ask(id);
  await owner.query(`
    create function break_off() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;
    create trigger break_off before update on users for each row when (new.id = '${stuck.id}') execute function break_off()`);
  await expect(eraseCustomers(db, { site, now: later(15) })).rejects.toThrow("Failed query");
  const threads = "select 1 from contact_threads where customer_id = $1";
  expect((await owner.query(threads, [stuck.id])).rowCount).toBe(1);
  expect((await only("users", other.id)).first_name).toBe("Former");
  await owner.query("drop trigger break_off on users");
  await eraseCustomers(db, { site, now: later(15) });
  expect((await only("users", stuck.id)).first_name).toBe("Former");
});

test("a frozen account waits until staff have looked", async () => {
  const ada = await createTestCustomer(db);
  await ask(ada.id);
  await owner.query(
    "insert into account_freezes (id, user_id, by, reason, frozen_at) values (gen_random_uuid(), $1, 'self', 'x', now())",
    [ada.id],
  );
  await eraseCustomers(db, { site, now: later(15) });
  expect((await only("users", ada.id)).email).toBe(ada.email);
});

test("is not kept open by what no transaction can carry, once its owner leaves that to the operator", async () => {
  const ada = await createTestCustomer(db);
  await creditTestDeposit(db, ada.id, 545n);
  const bitcoin = { asset: "BTC" as const, feeUnits: 5_000n, site, now };
  const leaving = () => leaveRemainder(db, { customerId: ada.id, ...bitcoin });
  await expect(leaving()).rejects.toThrow("personal-data/not-leaving");
  const moves = { available: -545n, operator_equity: 545n };
  const bare = aTransfer({ kind: "remainder-left", ownerId: ada.id, moves });
  await expect(postTransfer(db, bare)).rejects.toMatchObject({
    constraint: "remainders_are_left_by_who_leaves",
  });
  expect(await ask(ada.id)).toEqual({ state: "waiting" });
  expect(
    (await Promise.allSettled([leaving(), leaving(), leaving()])).map(({ status }) => status),
  ).toEqual(Array(3).fill("fulfilled"));
  expect((await only("customers", ada.id)).closed_at).not.toBeNull();
  const { rows } = await owner.query(
    "select kind, legs::text from ledger_transfers where owner_id = $1 order by number desc limit 1",
    [ada.id],
  );
  expect(rows).toEqual([
    { kind: "remainder-left", legs: '{"(available,BTC,-545)","(operator_equity,BTC,545)"}' },
  ]);
  const bob = await createTestCustomer(db);
  await creditTestDeposit(db, bob.id, 546n);
  await ask(bob.id);
  // What a transaction can carry may be left as well where sending it is not worth its fee.
  const bobs = { customerId: bob.id, ...bitcoin, feeUnits: 545n };
  await expect(leaveRemainder(db, bobs)).rejects.toThrow("personal-data/not-too-little");
  // Past the act it is refused as well, of some or of all.
  for (const units of [546n, 5n]) {
    const forged = db.transaction(async (tx) => {
      const id = randomUUID();
      const left = { available: -units, operator_equity: units };
      const key = `remainder-left:${id}`;
      const wanted = { kind: "remainder-left" as const, ownerId: bob.id, moves: left, key };
      const { transferId } = await postTransfer(tx, aTransfer(wanted));
      await tx.execute(sql`insert into left_remainders (id, customer_id, closing_id, asset, units, most_units, left_at, transfer_id)
        select ${id}, customer_id, id, 'BTC', ${units}, 545, now(), ${transferId} from account_closings where customer_id = ${bob.id}`);
    });
    const rule =
      units === 546n ? "only_what_is_not_worth_sending_is_left" : "remainders_are_all_that_is_left";
    await expect(forged).rejects.toMatchObject({ cause: { constraint: rule } });
  }
});

test("is not kept open by ten cents: ether and USDT below what a withdrawal costs are left coin by coin, if their owner wants", async () => {
  const ada = await createTestCustomer(db);
  await creditTestDeposit(db, ada.id, 100_000n, { asset: "USDT" });
  await creditTestDeposit(db, ada.id, 4n * 10n ** 14n, { asset: "ETH" });
  expect(await ask(ada.id)).toEqual({ state: "waiting" });
  const leaving = (asset: "ETH" | "USDT", feeUnits: bigint) =>
    leaveRemainder(db, { customerId: ada.id, asset, feeUnits, site, now });
  // No more than it costs: at 0.09 USDT ten cents are worth a withdrawal.
  await expect(leaving("USDT", 90_000n)).rejects.toThrow("personal-data/not-too-little");
  const twice = await Promise.all([leaving("USDT", 3_000_000n), leaving("USDT", 3_000_000n)]);
  expect(twice).toEqual([{ hasLeft: false }, { hasLeft: false }]);
  expect((await only("customers", ada.id)).closed_at).toBeNull();
  expect(await leaving("ETH", 5n * 10n ** 14n)).toEqual({ hasLeft: true });
  expect((await only("customers", ada.id)).closed_at).not.toBeNull();
  const { rows } = await owner.query(
    "select asset, units, most_units from left_remainders where customer_id = $1 order by asset",
    [ada.id],
  );
  expect(rows).toEqual([
    { asset: "ETH", units: "400000000000000", most_units: "500000000000000" },
    { asset: "USDT", units: "100000", most_units: "3000000" },
  ]);
  // Whatever is configured, and past the act: nobody leaves a hundred dollars.
  const bob = await createTestCustomer(db);
  await creditTestDeposit(db, bob.id, 100_000_000n, { asset: "USDT" });
  await ask(bob.id);
  const bobs = { customerId: bob.id, asset: "USDT" as const, site, now };
  const dear = leaveRemainder(db, { ...bobs, feeUnits: 200_000_000n });
  await expect(dear).rejects.toThrow("personal-data/not-too-little");
  const forged = db.transaction(async (tx) => {
    const id = randomUUID();
    const moves = { available: -100_000_000n, operator_equity: 100_000_000n };
    const left = { kind: "remainder-left" as const, ownerId: bob.id, moves };
    const bare = aTransfer({ ...left, asset: "USDT", key: `remainder-left:${id}` });
    const { transferId } = await postTransfer(tx, bare);
    await tx.execute(sql`
      insert into left_remainders (id, customer_id, closing_id, asset, units, most_units, left_at, transfer_id)
      select ${id}, customer_id, id, 'USDT', 100000000, 200000000, now(), ${transferId} from account_closings where customer_id = ${bob.id}`);
  });
  await expect(forged).rejects.toMatchObject({
    cause: { constraint: "only_what_is_not_worth_sending_is_left" },
  });
});

/** A payment on its way to a customer's own address. */
async function pay(customerId: string, coin: Coin, units: bigint): Promise<void> {
  const address = await testAddress(db, wallets[chainOf[coin]], customerId);
  await seePayment(db, address, { asset: coin, units });
}

test("dust to a known address keeps nobody from closing or being erased; what is worth sending does", async () => {
  const [ada, bob, carol] = [
    await createTestCustomer(db),
    await createTestCustomer(db),
    await createTestCustomer(db),
  ];
  for (const [coin, units] of Object.entries(bounds.dust) as Array<[Coin, bigint]>) {
    await pay(ada.id, coin, units);
  }
  expect(await ask(ada.id)).toEqual({ state: "leaving" });
  await eraseCustomers(db, { site, now: later(15) });
  expect((await only("users", ada.id)).first_name).toBe("Former");
  await pay(bob.id, "BTC", bounds.dust.BTC + 1n);
  expect(await ask(bob.id)).toEqual({ state: "waiting" });
  // Much dust is no dust.
  await pay(carol.id, "BTC", bounds.dust.BTC);
  await pay(carol.id, "BTC", 1n);
  expect(await ask(carol.id)).toEqual({ state: "waiting" });
});

/** A customer who waits for more than a remainder: a deposit that somebody has to look at. */
async function whoWaits(units: bigint) {
  const customer = await createTestCustomer(db);
  await creditTestDeposit(db, customer.id, units);
  const { depositId } = await createTestDeposit(app, { customerId: customer.id });
  await ask(customer.id);
  const { rows } = await owner.query(
    "select id from account_closings where customer_id = $1 and state = 'waiting'",
    [customer.id],
  );
  const left = { customerId: customer.id, asset: "BTC" as const, feeUnits: 5_000n, site, now };
  return {
    id: customer.id,
    closingId: rows[0].id,
    leave: () => leaveRemainder(db, left),
    decide: () => rejectTestDeposit(db, depositId, olga, { customerId: customer.id }),
    balance: async () => (await getBalances(db, customer.id)).BTC.available,
    isClosed: async () => (await only("customers", customer.id)).closed_at !== null,
  };
}

test("what arrives after a remainder was left follows it as the account closes, up to what was agreed to in all", async () => {
  const [ada, bob] = [await whoWaits(4_000n), await whoWaits(4_000n)];
  for (const each of [ada, bob]) expect(await each.leave()).toEqual({ hasLeft: false });
  await creditTestDeposit(db, ada.id, 1_000n);
  await creditTestDeposit(db, bob.id, 1_001n);
  // While something else is owed nothing is taken, however often somebody looks.
  for (let n = 0; n < 3; n += 1) await closeWhatWaited(db, { site, now });
  expect([await ada.balance(), await bob.balance()]).toEqual([1_000n, 1_001n]);
  for (const each of [ada, bob]) await each.decide();
  await closeWhatWaited(db, { site, now });
  expect([await ada.isClosed(), await bob.isClosed()]).toEqual([true, false]);
  expect(await bob.balance()).toBe(1_001n);
  const { rows } = await owner.query(
    "select units::int, most_units::int, follows from left_remainders where customer_id = $1 order by units desc",
    [ada.id],
  );
  expect(rows).toEqual([
    { units: 4_000, most_units: 5_000, follows: false },
    { units: 1_000, most_units: 5_000, follows: true },
  ]);
  // PostgreSQL says the same: of more than was agreed to, without anything left before, or while the account stays open.
  const carol = await whoWaits(1_000n);
  const forge = ({ id: customerId, closingId }: typeof ada, units: bigint) =>
    db.transaction((tx) =>
      postRemainder(tx, {
        customerId,
        closingId,
        asset: "BTC",
        units,
        mostUnits: 5_000n,
        follows: true,
        now,
      }),
    );
  const agreed = { cause: { constraint: "what_follows_was_agreed_to" } };
  await expect(forge(bob, 1_001n)).rejects.toMatchObject(agreed);
  await expect(forge(carol, 1_000n)).rejects.toMatchObject(agreed);
  // What does not follow can be left as well, which is agreed to anew.
  expect(await bob.leave()).toEqual({ hasLeft: true });
  const dora = await whoWaits(4_000n);
  await dora.leave();
  await creditTestDeposit(db, dora.id, 500n);
  const tooEarly = { constraint: "what_follows_goes_as_the_account_closes" };
  await expect(forge(dora, 500n)).rejects.toMatchObject({ cause: tooEarly });
});

test("opens again and tells its owner when something arrives after it was closed", async () => {
  const ada = await createTestCustomer(db);
  await ask(ada.id);
  const arrived = { available: 1_000n, conversion: -1_000n };
  await postTransfer(db, aTransfer({ kind: "conversion", ownerId: ada.id, moves: arrived }));
  await eraseCustomers(db, { site, now: later(15) });
  await signInAs(product, ada);
  const { rows } = await owner.query("select state from account_closings where customer_id = $1", [
    ada.id,
  ]);
  expect(rows).toEqual([{ state: "waiting" }]);
});

async function kycOf(customerId: string) {
  const { rows } = await owner.query(
    `select (select array_agg(country order by stated_at, id) from residence_statements where customer_id = $1) as countries,
       (select array_agg(state order by submitted_at) from kyc_submissions where customer_id = $1) as states,
       (select count(*)::int from kyc_reviews r join kyc_submissions s on s.id = r.submission_id
         where s.customer_id = $1) as reviews`,
    [customerId],
  );
  return rows[0];
}

test("what was verified goes with who never had a coin; of others the approval stays five years, and then goes", async () => {
  const [ada, bob] = [await createTestCustomer(db), await createTestCustomer(db)];
  await creditTestDeposit(db, bob.id, 1_000n);
  const spent = { available: -1_000n, conversion: 1_000n };
  await postTransfer(db, aTransfer({ kind: "conversion", ownerId: bob.id, moves: spent }));
  for (const { id } of [ada, bob]) {
    const declined = await createTestSubmission(app, id);
    const checklist = allYes().map((each) => ({ ...each, yes: false, note: "Not to be read" }));
    const parts = ["personal-details", "identity-front", "selfie"];
    const reasons = Object.fromEntries(parts.map((part) => [part, "It cannot be read."]));
    await declineKyc(app, olga, { ...declined, checklist, reasons }, app.now());
    const again = await createTestSubmission(app, id);
    await viewTestDocuments(app, olga, again.submissionId);
    await approveKyc(app, olga, { ...again, checklist: allYes() }, app.now());
  }
  await expect(db.execute(sql`select erase_kyc_of(${ada.id}, 5, now())`)).rejects.toMatchObject({
    cause: { constraint: "only_who_left_is_forgotten" },
  });
  // Coins that a customer has keep the account open; what the ledger remembers is that he had some.
  await owner.query("update customers set closed_at = $2 where id = any($1)", [
    [ada.id, bob.id],
    now,
  ]);
  for (const { id } of [ada, bob]) await eraseKycOf(db, id, now);
  expect(await kycOf(ada.id)).toEqual({ countries: null, states: null, reviews: 0 });
  const kept = await kycOf(bob.id);
  expect(kept).toMatchObject({ states: ["approved"], reviews: 1 });
  expect(kept.countries).toHaveLength(1);
  await owner.query("update customers set erased_at = $2 where id = $1", [bob.id, now]);
  const years = (count: number) => later(count * 365.25 + 1);
  expect(await eraseOldKyc(db, years(4))).toEqual({ erased: 0 });
  expect(await eraseOldKyc(db, years(retention.kycYears))).toEqual({
    erased: 1,
  });
  expect(await kycOf(bob.id)).toEqual({ countries: null, states: null, reviews: 0 });
  expect(await eraseOldKyc(db, years(9))).toEqual({ erased: 0 });
});
