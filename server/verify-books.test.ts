import { afterAll, beforeAll, expect, test } from "vitest";
import { fillBooks } from "#tests/factories/filled-books.ts";
import { plantingFunctions } from "#tests/factories/planting.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { movements } from "./ledger/transfer.ts";
import { verifyClaims } from "./ledger/verify/verify-claims.ts";
import { verifyMining } from "./mining/verify-mining.ts";
import type { Db } from "./platform/database.ts";
import { bookClaims, documentClaims, verifyBooks } from "./verify-books.ts";

const { db, owner } = await testDatabase();
await fillBooks({ db, owner, files: testFiles() });
const claims: string[] = [];

test("finds nothing wrong with books that were kept by the product's own acts", async () => {
  const checks = await verifyBooks(db);
  expect([...checks, ...(await verifyMining(db))].filter(({ holds }) => !holds)).toEqual([]);
  claims.push(...checks.map(({ claim }) => claim));
});

test("every kind of transfer that can be posted has a claim that asks for its document", async () => {
  const asked = new Set(documentClaims.flatMap(({ kinds }) => kinds));
  const kinds = Object.keys(movements).filter((kind) => kind !== "conversion");
  expect(kinds.filter((kind) => !asked.has(kind))).toEqual([]);
  const { rows } = await owner.query(
    "select distinct kind from ledger_transfers where kind <> 'reversal'",
  );
  // Books without some kind would prove nothing about it.
  expect(kinds.filter((kind) => !rows.some((row) => row.kind === kind))).toEqual([]);
});

/** What was planted, the claim that finds it, and the statements, which run as a superuser with no rule in force. */
type Planting = [string, string, string];

const entries = "every transfer's entries are its legs";
const deposits =
  "every credited deposit is one that was approved or paid, and was taken back only with its payment or as a mistake";
const asideOf = "what is put aside for a deposit is what a credit that was taken back still lacks";
const asideSum = "what is held of a deposit is the sum of what was put aside for it";
const reviewed =
  "every deposit was reviewed by an act of staff on it, or is what a payment on the chain brought to its customer";
const byTwo =
  "what staff approved of slips is what two people said, or within what one person approves alone of what no payment shows";
const creditedOnce = "no payment is credited twice, or is a pool's or the operator's as well";
const settled =
  "every payment that counts as settled has its deposit, and the deposit of every payment settled it";
const dollars =
  "every deposit's dollars are what its price says, what was claimed, or what was corrected when it was approved";
const credits =
  "every credit that was taken back, or is being, is of a payment that left the chain, or that two people said was the operator's or a mistake, and every mistake is taken back";
const resolutions =
  "every resolution on payments and deposits was proposed by one person and confirmed by another, each by an act on it, and every payment is what its newest one says";
const withdrawals =
  "every withdrawal is debited once when it is asked for, and its end is posted once, as it ended";
const networkFees =
  "every fee of the network is that of a transaction that a block took, and is posted once";
const left =
  "every withdrawal that left was confirmed, approved by an act of who approved it, and paid by its batch's transaction";
const cameBack =
  "every withdrawal that came back was ended by its customer, by time, by the chain, or by an act of staff on it";
const book =
  "every withdrawal goes to an address of its customer's book, which was usable when its batch was formed";
const batches =
  "every batch was formed, signed and ordered by acts of staff, by two people above the limit or where it pays nobody";
const versions =
  "what each version of a batch spends is what it pays, its change and its fee, of coins and withdrawals of its own batch";
const marks =
  "the mark of each version of a batch is the digest of a day, none older than that of the version before, and is in its transaction";
const endedByPeople =
  "every batch that people ended was ended by two, each by an act on it, when no version of it could be mined, and every other by its block";
const odd =
  "every batch of Ethereum pays each of its withdrawals by one nonce, and payment exceptions end by two people";
const own =
  "every transfer of the operator's own money is an approved adjustment, and every approved one is posted";
const twoPeople =
  "every adjustment is proposed by one person and decided by another, each by an act on it, and what was given or taken out has evidence";
const takenBack =
  "every adjustment that takes one back takes back a whole approved one, and no payment of the operator's counts twice or is one of a batch that did not fail";
const payouts =
  "every payout in the ledger is one that was recorded, to the satoshi, and was taken back only by its correction";
const evidence =
  "every payout rests on evidence that is kept, and on acts of staff on it, of two people where it takes two";
const seenByTwo = "every payout whose transaction also paid a customer was seen by two people";
const poolDays =
  "every pool paid for days on which it counts, once a day but for corrections, each of a payout of the same day";
const purchases =
  "every contract is paid at exactly its price, and paid back only when it is given back";
const quoted =
  "every contract is what was quoted, while the quote held, of a plan that was published then";
const quotes =
  "every quote asked for as many coins as its dollars were at its price, which is kept";
const givenBack =
  "every contract that was given back had not started and was within its time, and no other ended before its term without a reason";
const daily =
  "every credit and every fee of a day is what a customer's day says, and is posted once";
const house =
  "what the house earned, took and carried on a day is what the day's run says, and is posted once";
const idle =
  "every fee of an idle account is charged once, by the terms, after its notice, on what the balance was";
const corrections =
  "every correction of what was mined is what its payout changed, and is posted once";
const refunds =
  "what a cancelled contract did not serve is paid back or kept once, as its plan said";
const ends =
  "every contract ended on the day on which its term was served, or when its clock ran out, and not before or after";
const endings =
  "every settled ending counts the days that were served, and gives the rest back or keeps it as the plan says";
const sums = "every sum of a run is that of its customers, contracts and idle accounts";
const network =
  "every run is of the network as it was measured, and shares its payout as its hashrate says";
const inTime = "what is mined was posted after its day, when its run was worked out";
const owed =
  "every fee that is owed is its contract's, of what the day's price says, and lapsed only with its contract";
const clocks =
  "a clock runs for every contract that owes a fee, since the oldest, for 72 hours and as long as days were awaited";
const idleFees =
  "every fee of an idle account is of what the balance was, with its total, and of a customer without a contract";
const fixes =
  "every correction begins with what the day or the correction before it shared, and ends with what its customers got";
const remainders =
  "every remainder in the ledger was left by a customer who was closing the account, and is posted once";
const digests =
  "the days of the digests follow one another, each on the digest before and on no older seal or act";
const standing = "every digest stands on the seal and the link of the audit log that are here";
const tree =
  "in the newest tree of what is owed every leaf is what it says, every node what is below it, and the root that of the day";
const leaves = "every leaf of the newest tree has what the ledger had after so many entries";
const snapshots = "every snapshot of the house is the sum of the entries under its seals";
const digestsInForce = "the rules of the digests are in force, and no others";
const inForce = "the ledger's rules are in force, and no others";
const receipts =
  "every contract that ran on a day has one receipt of it, as its hashrate, the evidence and the price make it";

const proposedBy =
  "every payout was proposed by an act on it or on its file, and one person recorded alone only what one person may";
const coins =
  "no pool's coins ever cover more than arrived for it from outside, and no coin at an own address that spends the wallet's counts";
const limits = "every limit of payouts was set by an act that says it";
const onePool = "no transaction is the payout of two pools";
const slips =
  "every deposit of a slip has the slip of its customer, and every slip that was sent its deposit";
const onChain =
  "every payment is its address's owner's, in a block of the chain that we know, and is credited while it is there, with its confirmations";
const where =
  "every withdrawal goes where its request in the ledger and the act of who approved it say, and is worth what its price says";
const waited =
  "every withdrawal waited for its address, its confirmation and its day, and every address of a book for a day";
const twoForBatch =
  "every batch needs two people where the act that formed it says so, and is in a block that came after it and is of the chain";

const chunks =
  "every day that is worked out has its chunks, whose sums are the run's, and who is set apart is tried again";
const byPerson =
  "every day that a person had worked out has that person's act, and no idle account paid before its notice was sent";
const running =
  "every contract runs the days that its purchase says, and only a first one can be given back, within its hours";
const texts = "the terms of every contract are those of its version that was in force";
const fleet = "the days of the fleet say what its machines can do and what is sold of it";
const published =
  "every plan was published by an act on it that says its terms, by another person than wrote it where another could";
const priced =
  "every price that money was valued with is the middle of its exchanges' quotes, and simulated in demos alone";
const staffed =
  "every change of the staff was proposed by an act, and decided by another person than proposed it and than it concerns";
const dated = "every adjustment was proposed and decided when its acts say";
const mayBeLeft = "every remainder is no more than may be left of its coin";

const first = (kind: string) => `(select key from a('${kind}'))`;
const withdrawal = (state: string) =>
  `(select id from withdrawals where state = '${state}' order by id limit 1)`;
const gift =
  "(select id from adjustments where kind = 'goodwill' and state = 'approved' order by id limit 1)";
const outlay = (kind: string) =>
  `(select id from adjustments where kind = '${kind}' and state = 'approved' order by id limit 1)`;
const consolidation = "select id from withdrawal_batches where purpose = 'consolidation'";
const aDay = "'2026-03-20'";

const plantings: Planting[] = [
  // The ledger's own rows.
  [
    "an amount in an entry",
    entries,
    `update ledger_entries set units = units + 1 where transfer_number = (select number from a('deposit')) and account = 'available'`,
  ],
  [
    "an entry deleted",
    "every transfer sums to zero per asset",
    `delete from ledger_entries where transfer_number = (select number from a('deposit')) and account = 'custody'`,
  ],
  [
    "an entry moved to another customer",
    "every entry carries its transfer's owner",
    `update ledger_entries set owner_id = somebody_else(owner_id) where transfer_number = (select number from a('deposit')) and account = 'available'`,
  ],
  [
    "both entries of a transfer of the house doubled before a snapshot",
    "no leg has two entries",
    `insert into ledger_entries select * from ledger_entries where transfer_number = (select number from a('operator-share'));
     update ledger_house_snapshots s set units = s.units + e.units from ledger_entries e where e.transfer_number = (select number from a('operator-share')) and e.account = s.account and e.asset = s.asset and e.ctid = (select max(ctid) from ledger_entries x where x.transfer_number = e.transfer_number and x.account = e.account)`,
  ],
  [
    "a kind changed to one that moves the same",
    own,
    `select unseal(); update ledger_transfers set kind = 'subsidy' where key = ${first("goodwill")}`,
  ],
  [
    "a movement that its kind does not list",
    "every transfer moves only what its kind may",
    `select plant('planted', 'deposit', somebody_else('00000000-0000-0000-0000-000000000000'), '{"(available,BTC,5)","(operator_equity,BTC,-5)"}', 'x', now())`,
  ],
  [
    "a reversal that points elsewhere",
    "every reversal mirrors a transfer of the same owner",
    `update ledger_transfers set reverses = (select id from a('deposit')) where number = (select min(number) from ledger_transfers where key like 'adjustment:%' and kind = 'reversal')`,
  ],
  [
    "a balance typed in",
    "the trial balance is zero per asset",
    `update ledger_accounts set balance = balance + 1 where owner_id = (select owner_id from a('deposit')) and account = 'available' and asset = 'BTC'`,
  ],
  [
    "two balances changed against each other",
    "every balance is the sum of its entries",
    `update ledger_accounts set balance = balance + case owner_id when (select owner_id from a('inactivity-fee')) then -1 else 1 end
     where account = 'available' and asset = 'BTC' and owner_id in ((select owner_id from a('inactivity-fee')), (select owner_id from a('goodwill')))`,
  ],
  [
    "a balance after an entry",
    "every balance after an entry follows from the entry before",
    `update ledger_entries set balance_after = balance_after + 1 where transfer_number = (select number from a('deposit')) and account = 'available'`,
  ],
  [
    "two entries of an account swapped",
    "an account's entries are numbered in the order of the ledger",
    `update ledger_entries set sequence = 3 - sequence where owner_id = (select owner_id from a('inactivity-fee')) and account = 'available' and asset = 'BTC' and sequence <= 2`,
  ],
  [
    "a customer below zero",
    "no customer is below zero",
    `alter table ledger_accounts alter column balance type numeric(38, 0); update ledger_accounts set balance = -1 where owner_id = (select owner_id from a('remainder-left')) and account = 'available' and asset = 'BTC'`,
  ],
  [
    "two snapshots of one moment changed against each other",
    snapshots,
    `update ledger_house_snapshots set units = units + case account when 'custody' then 1 else -1 end where account in ('custody', 'operator_equity') and asset = 'BTC' and seal_number = (select max(seal_number) from ledger_house_snapshots)`,
  ],
  [
    "lines of a snapshot deleted",
    snapshots,
    `delete from ledger_house_snapshots where account in ('custody', 'operator_equity') and asset = 'ETH' and seal_number = (select max(seal_number) from ledger_house_snapshots)`,
  ],
  [
    "a kind that may move more",
    "the chart is the one that the product lists",
    `update ledger_transfer_kinds set debits = '{custody,operator_equity}' where kind = 'deposit'`,
  ],
  [
    "a kind of one's own",
    "the chart is the one that the product lists",
    `insert into ledger_transfer_kinds values ('gift', '{operator_equity}', '{available}')`,
  ],
  [
    "a rule that was not switched on again",
    inForce,
    `alter table ledger_entries disable trigger entries_come_from_transfers`,
  ],
  [
    "a rule of the digests that was not switched on again",
    digestsInForce,
    `alter table proof_days disable trigger digests_are_never_rewritten`,
  ],
  [
    "a trigger of one's own in the ledger",
    inForce,
    `create trigger own before insert on ledger_entries for each row execute function suppress_redundant_updates_trigger()`,
  ],
  [
    "a transfer of a day to come",
    "every transfer counts for a day of the calendar that had begun when it happened",
    `update ledger_transfers set day = day + 400 where key = ${first("deposit")}`,
  ],
  [
    "an amount rewritten everywhere, seals left",
    "every seal's root is computed from its transfers",
    `select rescale(key, times(legs, 2)) from a('deposit')`,
  ],
  [
    "a memo rewritten",
    "every seal's root is computed from its transfers",
    `update ledger_transfers set memo = 'another story' where key = ${first("deposit")}`,
  ],
  [
    "a seal's hash",
    "every seal follows from the seal before",
    `update ledger_seals set hash = sha256('x') where number = 2`,
  ],
  [
    "a seal's time",
    "every seal follows from the seal before",
    `update ledger_seals set sealed_at = sealed_at + interval '1 second' where number = 1`,
  ],
  [
    "a seal dated before the one before",
    "seals follow each other in time, and note no number that was not drawn",
    `update ledger_seals set sealed_at = '2026-01-01T00:00:00Z' where number = 2`,
  ],
  [
    "a seal that says that all is sealed",
    "seals follow each other in time, and note no number that was not drawn",
    `update ledger_seals set complete_through = 2009019999999999 where number = 3`,
  ],
  [
    "a transfer taken out of its seal",
    "no transfer escaped sealing",
    `update ledger_seals set complete_through = 2009010000000050 where number = 3; update ledger_seals set covers = covers - '{[2009010000000020,2009010000000020]}' where covers @> 2009010000000020`,
  ],

  // Whole transfers without a document, and documents without their transfer: seals are gone, all balances follow.
  [
    "a deposit from nowhere",
    deposits,
    `select unseal(), plant('deposit:' || gen_random_uuid(), 'deposit', t.owner_id, t.legs, t.source, now()) from a('deposit') t`,
  ],
  [
    "a deposit moved to another customer",
    deposits,
    `select unseal(), give_to(key, somebody_else(owner_id)) from ledger_transfers where kind = 'deposit' and (legs[1]).units = 250000`,
  ],
  [
    "a deposit doubled in the ledger",
    deposits,
    `select unseal(), rescale(key, times(legs, 2)) from a('deposit')`,
  ],
  [
    "a deposit erased from the ledger",
    deposits,
    `select unseal(), vanish(t.key) from ledger_transfers t join deposits d on d.transfer_id = t.id and t.kind = 'deposit' and d.quantity_units = 250000`,
  ],
  [
    "a deposit at another time",
    deposits,
    `select unseal(); update ledger_transfers set occurred_at = occurred_at - interval '1 hour' where key = ${first("deposit")}`,
  ],
  [
    "a deposit of another day",
    deposits,
    `select unseal(); update ledger_transfers set day = day - 1 where key = ${first("deposit")}`,
  ],
  [
    "a deposit's document that becomes another customer's",
    deposits,
    `update deposits set customer_id = somebody_else(customer_id) where transfer_id = (select id from a('deposit'))`,
  ],
  [
    "a deposit that is rejected after it was credited",
    deposits,
    `alter table deposits drop constraint approvals_name_quantity_payment_transfer_and_slip, drop constraint rejections_have_a_reason;
     update deposits set state = 'rejected' where transfer_id = (select id from a('deposit'))`,
  ],
  [
    "a credit that was taken back and comes again",
    deposits,
    `select unseal(), vanish(key) from ledger_transfers where key like 'deposit-reversal:%'`,
  ],
  [
    "coins put aside for nothing",
    asideOf,
    `select unseal(), plant('deposit-hold:planted', 'hold', t.owner_id, '{"(available,BTC,-5)","(held,BTC,5)"}', t.source, now()) from a('deposit') t`,
  ],
  [
    "more put aside than the deposit says",
    asideSum,
    `update deposits set held_units = held_units - 1 where held_units > 0`,
  ],
  [
    "a deposit without the act of who reviewed it",
    reviewed,
    `delete from audit_log where id = (select review_action_id from deposits where transfer_id = (select id from a('deposit')))`,
  ],
  [
    "a deposit confirmed by a second person that nobody had proposed",
    byTwo,
    `update audit_log set act = 'deposits/confirm-approval' where id = (select review_action_id from deposits where transfer_id = (select id from a('deposit')))`,
  ],
  [
    "more approved by one person within a day than one approves alone",
    byTwo,
    `update deposits set alone_at = now() where review_action_id is not null and state <> 'rejected';
     update audit_log set operator_id = (select id from operators limit 1) where act = 'deposits/approve';
     update credentials set password = '$argon2id$v=19$m=1$test';
     update operators set role = 'owner', state = 'active', changed_by_act = null;
     update audit_log set occurred_at = now() - interval '1 year', operator_id = o.id
       from (select id from operators order by id desc limit 1) o where audit_log.id = (select id from audit_log where act <> 'deposits/approve' limit 1)`,
  ],
  [
    "a deposit by a payment that went to another",
    reviewed,
    `update deposit_addresses set customer_id = somebody_else(customer_id) where address = (select address from chain_payments where units = 250000)`,
  ],
  [
    "a payment credited twice",
    creditedOnce,
    `alter table deposits drop constraint one_deposit_per_submission, drop constraint one_deposit_per_transfer, drop constraint one_deposit_per_slip, drop constraint one_review_per_act; drop index one_deposit_per_payment;
     insert into deposits select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).* from deposits d where transfer_id = (select id from a('deposit'))`,
  ],
  [
    "a payment that no deposit settled",
    settled,
    `update chain_payments set settled_at = now() where units = 90000`,
  ],
  [
    "a payment that forgets whose it was",
    reviewed,
    `update chain_payments set customer_id = somebody_else(customer_id) where units = 250000`,
  ],
  [
    "a slip approved for a payment to another customer's address",
    reviewed,
    `update deposits set txid = p.txid, output_index = 0 from chain_payments p where p.resolved_as = 'set-aside' and transfer_id = (select id from a('deposit'))`,
  ],
  [
    "a slip approved for a payment that was set aside",
    settled,
    `update deposits set txid = p.txid, output_index = p.output_index from chain_payments p where p.resolved_as = 'set-aside' and transfer_id = (select id from a('deposit'))`,
  ],
  [
    "a payment that was set aside and counts",
    settled,
    `update chain_payments set settled_at = now() where resolved_as = 'set-aside'`,
  ],
  [
    "a payment credited by two people that does not count",
    settled,
    `update chain_payments set settled_at = null where resolved_as = 'customers'`,
  ],
  [
    "the operator's payment, whose credit is not taken back",
    deposits,
    `select unseal(), vanish(t.key) from ledger_transfers t join deposits d on d.reversal_id = t.id and d.quantity_units = 70000`,
  ],
  [
    "a credit that is taken back, of a payment that stayed",
    credits,
    `update chain_payments set resolution_id = null, resolved_as = null where units = 70000`,
  ],
  [
    "a credit that waits to be taken back, of a payment that stayed",
    credits,
    `update deposits set state = 'orphaned', orphaned_at = now() where quantity_units = 250000`,
  ],
  [
    "an approval that was taken back as a mistake by nobody's word",
    credits,
    `update deposits set resolution_id = null where resolution_id is not null and state = 'orphaned'`,
  ],
  [
    "a mistake that was found in another deposit",
    credits,
    `update payment_resolutions r set deposit_id = (select id from deposits where transfer_id = (select id from a('deposit'))) where id = (select resolution_id from deposits where resolution_id is not null and state = 'orphaned')`,
  ],
  [
    "a mistake that nobody takes back",
    credits,
    `update payment_resolutions set decided_at = decided_at - interval '1 day' where says = 'mistaken'; update deposits set state = 'approved', held_units = 0 where resolution_id is not null and state = 'orphaned'`,
  ],
  [
    "a mistake that one person found alone",
    resolutions,
    `alter table payment_resolutions drop constraint payment_resolutions_need_two_people; update payment_resolutions set decided_by = proposed_by where says = 'mistaken'`,
  ],
  [
    "a mistake that is about a payment as well",
    resolutions,
    `insert into resolved_payments select r.id, p.id from payment_resolutions r, chain_payments p where r.says = 'mistaken' and p.units = 250000`,
  ],
  [
    "a payment of the amount of own money that was credited by nobody's word",
    creditedOnce,
    `update chain_payments set resolution_id = null, resolved_as = null where resolved_as = 'customers'`,
  ],
  [
    "a payout of a payment whose credit stands",
    creditedOnce,
    `update pool_payouts set txid = p.txid, units = p.units from chain_payments p where p.units = 50000 and pool_payouts.units = 30000`,
  ],
  [
    "a payout that is own money as well",
    creditedOnce,
    `update pool_payouts set txid = (select txid from adjustments where kind = 'wallet-transfer' and asset = 'BTC') where units = 30000`,
  ],
  [
    "a move between own wallets that paid a customer by nobody's word",
    creditedOnce,
    `update adjustments set txid = p.txid from chain_payments p where p.units = 250000 and adjustments.kind = 'wallet-transfer' and adjustments.asset = 'BTC'`,
  ],
  [
    "a slip for what was taken out",
    creditedOnce,
    `update deposits set txid = (select txid from adjustments where kind = 'equity-drawing' and asset = 'BTC'), output_index = null where transfer_id = (select id from a('deposit'))`,
  ],
  [
    "own money of a payment whose credit stands",
    creditedOnce,
    `update adjustments set txid = p.txid, decided_at = decided_at + interval '1 hour' from chain_payments p where p.units = 50000 and adjustments.kind = 'equity-funding' and adjustments.units = 40000`,
  ],
  [
    "a resolution that its proposer confirmed",
    resolutions,
    `alter table payment_resolutions drop constraint payment_resolutions_need_two_people; update payment_resolutions set decided_by = proposed_by where says = 'set-aside'`,
  ],
  [
    "a resolution that nobody proposed",
    resolutions,
    `delete from audit_log where id = (select proposed_by_act from payment_resolutions where says = 'set-aside')`,
  ],
  [
    "a resolution confirmed by an act on another one",
    resolutions,
    `update audit_log set subject = 'payment-resolution:' || gen_random_uuid() where id = (select decided_by_act from payment_resolutions where says = 'set-aside')`,
  ],
  [
    "a resolution declined by nobody",
    resolutions,
    `delete from audit_log where act = 'deposits/decline-resolution'`,
  ],
  [
    "a resolution that says something else",
    resolutions,
    `update payment_resolutions set says = 'operators' where says = 'set-aside'`,
  ],
  [
    "a payment resolved by a resolution about another one",
    resolutions,
    `update chain_payments set (resolution_id, resolved_as) = (select id, says from payment_resolutions where says = 'set-aside') where units = 250000`,
  ],
  [
    "a payment that another one's resolution names",
    resolutions,
    `update resolved_payments set payment_id = (select id from chain_payments where units = 250000) where resolution_id = (select id from payment_resolutions where says = 'set-aside')`,
  ],
  [
    "a deposit's dollars",
    dollars,
    `update deposits set usd_cents = 999999 where payment_id is not null and state = 'approved'`,
  ],
  [
    "a withdrawal that nobody asked for",
    withdrawals,
    `select unseal(), plant('withdrawal-request:' || gen_random_uuid(), 'withdrawal-request', t.owner_id, times(t.legs, -0.001), t.source, now()) from a('withdrawal-cancelled') t`,
  ],
  [
    "a withdrawal sent that still waits",
    withdrawals,
    `select unseal(), plant('withdrawal-sent:' || w.id, 'withdrawal-sent', w.customer_id, array[('custody', 'BTC', w.units - w.fee_units), ('held', 'BTC', -w.units), ('withdrawal_fee_revenue', 'BTC', w.fee_units)]::ledger_leg[], 'withdrawal:' || w.id, now())
     from withdrawals w where w.state = 'requested' limit 1`,
  ],
  [
    "a withdrawal's fee another than in the ledger",
    withdrawals,
    `update withdrawals set fee_units = fee_units + 1 where id = ${withdrawal("settled")}`,
  ],
  [
    "a withdrawal's amount raised in both",
    left,
    `select unseal(); update withdrawals set confirmed_at = confirm_by + interval '1 day' where id = ${withdrawal("settled")}`,
  ],
  [
    "a cancelled withdrawal that never came back",
    withdrawals,
    `select unseal(), vanish(${first("withdrawal-cancelled")})`,
  ],
  [
    "a withdrawal of another customer",
    withdrawals,
    `update withdrawals set customer_id = somebody_else(customer_id) where id = ${withdrawal("settled")}`,
  ],
  [
    "a withdrawal sent without a batch",
    left,
    `alter table withdrawals drop constraint withdrawals_leave_in_a_batch; update withdrawals set batch_id = null where id = ${withdrawal("settled")}`,
  ],
  [
    "a withdrawal without the act that approved it",
    left,
    `delete from audit_log where id = (select approved_by_act from withdrawals where id = ${withdrawal("settled")})`,
  ],
  [
    "a withdrawal approved by another than who did",
    left,
    `update withdrawals set approved_by = (select id from operators where id <> approved_by limit 1) where id = ${withdrawal("settled")}`,
  ],
  [
    "a cancelled withdrawal that nobody ended",
    cameBack,
    `alter table withdrawals drop constraint what_came_back_says_by_whom; update withdrawals set ended_by = null where state = 'cancelled'`,
  ],
  [
    "a withdrawal to another address",
    book,
    `update withdrawals set address = 'bcrt1qelsewhere' where id = ${withdrawal("settled")}`,
  ],
  [
    "a fee of the network without a batch",
    networkFees,
    `select unseal(), plant('network-fee:' || gen_random_uuid(), 'network-fee', t.owner_id, t.legs, t.source, now()) from a('network-fee') t`,
  ],
  [
    "a batch's fee",
    networkFees,
    `update withdrawal_batch_versions set fee_units = fee_units + 7, change_units = 0 where cardinality(pays) > 0`,
  ],
  [
    "a batch that nobody formed",
    batches,
    `delete from audit_log where id = (select formed_by_act from withdrawal_batches order by id limit 1)`,
  ],
  [
    "a batch's members",
    versions,
    `update withdrawal_batch_versions v set pays = pays || ${withdrawal("requested")} where batch_id = (select min(id::text)::uuid from withdrawal_batches)`,
  ],
  [
    "a withdrawal put into another batch",
    versions,
    `update withdrawals set batch_id = (select id from withdrawal_batches b where b.id <> batch_id limit 1) where id = ${withdrawal("settled")}`,
  ],
  [
    "a mark that is no digest",
    marks,
    `update withdrawal_batch_versions set mark = sha256('x') where mark is not null`,
  ],
  [
    "a mark that is taken out",
    marks,
    `update withdrawal_batch_versions set mark = null where number = 2`,
  ],
  [
    "a transaction that carries no mark",
    marks,
    `update withdrawal_batch_versions set unsigned = '\\x00' where mark is not null`,
  ],
  ["a coin of a batch", versions, `update withdrawal_batch_coins set units = units + 1`],
  [
    "a version that leaves out the coin which excludes the others",
    versions,
    `update withdrawal_batch_versions v set spends = array_remove(spends, b.anchor_txid || ':' || b.anchor_vout) from withdrawal_batches b where b.id = v.batch_id and v.number = 2`,
  ],
  [
    "a version that spends a coin of another batch",
    versions,
    `update withdrawal_batch_versions set spends = spends || (select txid || ':' || vout from withdrawal_batch_coins c where c.batch_id = (${consolidation}) limit 1), change_units = change_units + 150000 where number = 2`,
  ],
  [
    "a withdrawal in a batch that pays nobody",
    versions,
    `update withdrawals set batch_id = (${consolidation}) where id = ${withdrawal("settled")}`,
  ],
  [
    "a batch that pays nobody, formed by the act of another kind",
    batches,
    `update audit_log set act = 'withdrawals/form-batch' where act = 'withdrawals/consolidate'`,
  ],
  [
    "a batch that pays nobody and needs one person",
    batches,
    `alter table withdrawal_batches drop constraint consolidations_need_two_people; update withdrawal_batches set needs_two = false where id = (${consolidation})`,
  ],
  [
    "more formed and ordered by one person within a day than one orders alone",
    batches,
    `update withdrawals set units = units * 1000 where batch_id is not null;
     update withdrawal_batches set needs_two = false where purpose = 'withdrawals';
     update withdrawal_batch_versions
        set raw = '\\x00', signed_by = made_by, signed_by_act = made_by_act, signed_at = now(),
            ordered_by = made_by, ordered_by_act = made_by_act, ordered_at = now(), alone_at = now();
     update audit_log a set operator_id = v.ordered_by from withdrawal_batch_versions v where v.ordered_by_act = a.id;
     update credentials set password = '$argon2id$v=19$m=1$test';
     update operators set role = 'owner', state = 'active', changed_by_act = null;
     update audit_log set occurred_at = now() - interval '1 year' where operator_id is not null`,
  ],
  [
    "a version that nobody built again",
    batches,
    `delete from audit_log where act = 'withdrawals/rebuild-batch'`,
  ],
  [
    "a fee of a batch that pays nobody, erased",
    networkFees,
    `select unseal(), vanish('network-fee:' || (${consolidation})::text)`,
  ],
  [
    "a batch that nobody ended",
    endedByPeople,
    `alter table withdrawal_batches drop constraint failed_batches_were_overtaken_in_a_block; update withdrawal_batches set abandonment_id = null`,
  ],
  [
    "a batch ended by who proposed it",
    endedByPeople,
    `alter table withdrawal_abandonments drop constraint abandonments_need_two_people; update withdrawal_abandonments set decided_by = proposed_by where state = 'confirmed'`,
  ],
  [
    "a batch ended without the act of the second person",
    endedByPeople,
    `delete from audit_log where act = 'withdrawals/confirm-abandonment'`,
  ],
  [
    "a batch whose end another person proposed",
    endedByPeople,
    `update audit_log a set operator_id = (select id from operators o where o.id <> a.operator_id limit 1) where act = 'withdrawals/propose-abandonment'`,
  ],
  [
    "a proposal to end a batch that nobody declined",
    endedByPeople,
    `delete from audit_log where act = 'withdrawals/decline-abandonment'`,
  ],
  [
    "a batch ended by a proposal that was declined",
    endedByPeople,
    `update withdrawal_batches set abandonment_id = (select id from withdrawal_abandonments where state = 'declined') where abandonment_id is not null`,
  ],
  [
    "a batch ended while a signed version was outside",
    endedByPeople,
    `update withdrawal_batch_versions v set signed_by = made_by, signed_by_act = made_by_act, signed_at = made_at, raw = unsigned from withdrawal_batches b where b.id = v.batch_id and b.abandonment_id is not null`,
  ],
  [
    "a returned withdrawal that says it was paid",
    left,
    `alter table withdrawals drop constraint only_rejected_and_returned_withdrawals_have_a_reason, drop constraint what_came_back_says_by_whom; update withdrawals set state = 'settled' where state = 'returned'`,
  ],
  [
    "a returned withdrawal that never came back",
    withdrawals,
    `select unseal(), vanish(t.key) from ledger_transfers t join withdrawals w on w.end_transfer_id = t.id and w.id = ${withdrawal("returned")}`,
  ],
  [
    "a payment on Ethereum without its withdrawal",
    odd,
    `insert into withdrawal_payments (withdrawal_id, batch_id, chain_id, hot_wallet, nonce) select gen_random_uuid(), id, 1, '0x' || repeat('0', 40), 1 from withdrawal_batches limit 1`,
  ],
  [
    "goodwill without an adjustment",
    own,
    `select unseal(), plant('adjustment:' || gen_random_uuid(), 'goodwill', t.owner_id, t.legs, t.source, now()) from a('goodwill') t`,
  ],
  [
    "goodwill that is more than was approved",
    own,
    `select unseal(), rescale(key, times(legs, 3)) from a('goodwill')`,
  ],
  [
    "goodwill given to another customer",
    own,
    `select unseal(), give_to(key, somebody_else(owner_id)) from a('goodwill')`,
  ],
  [
    "an adjustment whose reversal is deleted",
    own,
    `select unseal(), vanish(key) from ledger_transfers where key like 'adjustment:%' and kind = 'reversal'`,
  ],
  [
    "own money from nowhere",
    own,
    `select unseal(), plant('adjustment:' || gen_random_uuid(), 'equity-funding', t.owner_id, t.legs, t.source, now()) from a('equity-funding') t`,
  ],
  [
    "own money taken out by nobody",
    own,
    `select unseal(), plant('adjustment:' || gen_random_uuid(), 'equity-drawing', t.owner_id, t.legs, t.source, now()) from a('equity-drawing') t`,
  ],
  [
    "own money of which more was taken out than was approved",
    own,
    `select unseal(), rescale(key, times(legs, 3)) from a('equity-drawing')`,
  ],
  [
    "a drawing's fee",
    own,
    `update adjustments set fee_units = fee_units + 1 where id = ${outlay("equity-drawing")}`,
  ],
  [
    "a drawing that says it only moved",
    own,
    `update adjustments set kind = 'wallet-transfer' where id = ${outlay("equity-drawing")}`,
  ],
  [
    "a drawing whose reversal is deleted",
    own,
    `select unseal(), vanish(r.key) from ledger_transfers r join ledger_transfers o on o.id = r.reverses and o.kind = 'equity-drawing'`,
  ],
  [
    "a move between own wallets by nobody",
    own,
    `select unseal(), plant('adjustment:' || gen_random_uuid(), 'wallet-transfer', t.owner_id, t.legs, t.source, now()) from a('wallet-transfer') t`,
  ],
  [
    "a move between own wallets that cost more",
    own,
    `select unseal(), rescale(key, times(legs, 2)) from a('wallet-transfer')`,
  ],
  [
    "a move between own wallets whose reversal has no adjustment",
    own,
    `delete from adjustments r using adjustments o where o.id = r.reverses and o.kind = 'wallet-transfer'`,
  ],
  [
    "a drawing that its proposer approved",
    twoPeople,
    `alter table adjustments drop constraint who_proposed_does_not_decide; update adjustments set decided_by = proposed_by where id = ${outlay("equity-drawing")}`,
  ],
  [
    "a drawing without evidence",
    twoPeople,
    `delete from adjustment_evidence where id = (select evidence_id from adjustments where id = ${outlay("equity-drawing")})`,
  ],
  [
    "a move between own wallets that nobody proposed",
    twoPeople,
    `delete from audit_log where id = (select proposed_by_act from adjustments where id = ${outlay("wallet-transfer")})`,
  ],
  [
    "a drawing of a batch's transaction",
    takenBack,
    `update adjustments set txid = (select txid from withdrawal_batch_versions limit 1) where id = ${outlay("equity-drawing")}`,
  ],
  [
    "a drawing of a transaction that was moved as well",
    takenBack,
    `update adjustments set txid = (select txid from adjustments where id = ${outlay("wallet-transfer")}) where id = ${outlay("equity-drawing")}`,
  ],
  [
    "an adjustment that its proposer approved",
    twoPeople,
    `alter table adjustments drop constraint who_proposed_does_not_decide; update adjustments set decided_by = proposed_by where id = ${gift}`,
  ],
  [
    "an adjustment without the act that approved it",
    twoPeople,
    `delete from audit_log where id = (select decided_by_act from adjustments where id = ${gift})`,
  ],
  [
    "a gift without evidence",
    twoPeople,
    `delete from adjustment_evidence where id = (select evidence_id from adjustments where id = ${gift})`,
  ],
  [
    "a reversal of an adjustment that says another amount",
    takenBack,
    `update adjustments set units = units + 1 where kind = 'reversal'`,
  ],
  [
    "own money counted twice",
    takenBack,
    `update adjustments set txid = (select txid from adjustments where kind = 'equity-funding' order by id limit 1) where kind = 'equity-funding' and asset = 'BTC'`,
  ],
  [
    "a payout from nowhere",
    payouts,
    `select unseal(), plant('pool-payout:' || gen_random_uuid(), 'pool-payout', t.owner_id, t.legs, t.source, now()) from a('pool-payout') t`,
  ],
  [
    "a payout's amount in the ledger",
    payouts,
    `select unseal(), rescale(key, times(legs, 2)) from a('pool-payout')`,
  ],
  [
    "a payout's reversal deleted",
    payouts,
    `select unseal(), vanish(min(key)) from ledger_transfers where key like 'pool-payout-reversal:%'`,
  ],
  [
    "a correction decided by one person",
    evidence,
    `update audit_log a set operator_id = (select operator_id from audit_log where id = p.proposal_action_id) from pool_payouts p where p.corrects is not null and a.id = p.decision_action_id`,
  ],
  [
    "a payout without evidence",
    evidence,
    `alter table pool_payouts drop constraint payouts_rest_on_evidence; update pool_payouts set txid = null where day = ${aDay}`,
  ],
  [
    "a payout beside a customer's payment, seen by one person",
    seenByTwo,
    `update audit_log a set operator_id = (select operator_id from audit_log where id = p.proposal_action_id) from pool_payouts p where p.units = 30000 and a.id = p.decision_action_id`,
  ],
  [
    "two payouts of a pool for one day",
    poolDays,
    `drop index one_first_payout_per_pool_and_day; update pool_payouts set day = '2026-03-19' where day = ${aDay}`,
  ],
  [
    "a payout proposed by the act on another",
    proposedBy,
    `update pool_payouts p set proposal_action_id = (select proposal_action_id from pool_payouts o where o.id <> p.id and o.day < p.day order by day limit 1) where day = ${aDay}`,
  ],
  [
    "a payout of a whole bitcoin and more by one person",
    proposedBy,
    `update pool_payouts set units = 200000000, decision_action_id = proposal_action_id where units = 30000`,
  ],
  [
    "payouts of a day by one person, above what one may record alone",
    proposedBy,
    `update pool_payouts set units = 1100000, decision_action_id = proposal_action_id where units = 30000;
     update credentials set password = '$argon2id$v=19$m=1$test'`,
  ],
  [
    "a payout that coins cover which never came",
    coins,
    `update pool_payouts set covered = true, unseen_reason = null where units = 10000`,
  ],
  [
    "the wallet's own coins as a pool's",
    coins,
    `insert into own_transactions select repeat('a', 64);
     update chain_transactions t set spends = array[repeat('a', 64) || ':0'] from pool_addresses a join chain_payments p on p.address = a.address
      where t.txid = p.txid`,
  ],
  [
    "a payout that was not seen, by one person",
    evidence,
    `update pool_payouts set decision_action_id = proposal_action_id where unseen_reason is not null`,
  ],
  [
    "a limit of payouts without its act",
    limits,
    `insert into payout_limits (second_person_above_sats, created_at, action_id) select 2100000000000000, '2026-01-01', id from audit_log limit 1`,
  ],
  [
    "a payout of another pool's transaction",
    onePool,
    `insert into pools select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'name', 'Another'))).* from pools p limit 1;
     update pool_payouts set pool_id = (select id from pools where name = 'Another' limit 1), txid = (select txid from pool_payouts where day = '2026-03-19' limit 1) where day = ${aDay}`,
  ],
  [
    "a slip deleted",
    slips,
    `delete from deposit_slips where id = (select slip_id from deposits where transfer_id = (select id from a('deposit')))`,
  ],
  [
    "a deposit whose slip remains",
    slips,
    `delete from deposits where transfer_id = (select id from a('deposit'))`,
  ],
  [
    "a deposit of a day to come",
    slips,
    `update deposits set declared_on = declared_on + 400 where transfer_id = (select id from a('deposit'))`,
  ],
  [
    "an uncredited payment of another customer",
    onChain,
    `update chain_payments set customer_id = somebody_else(customer_id) where resolved_as = 'set-aside'`,
  ],
  [
    "a payment resolved by no resolution",
    onChain,
    `alter table chain_payments drop constraint resolved_payments_name_their_resolution; update chain_payments set resolved_as = 'customers' where units = 250000`,
  ],
  [
    "a payment that was dropped, whose credit stays",
    onChain,
    `update chain_payments set state = 'dropped', block_hash = null, block_height = null, block_time = null where units = 250000`,
  ],
  [
    "a payment that left the chain days ago, whose credit stays",
    onChain,
    `update chain_payments set state = 'orphaned', block_hash = null, block_height = null, block_time = null, orphaned_at = changed_at - interval '2 days', changed_at = changed_at - interval '2 days' where units = 250000`,
  ],
  [
    "a payment in a block of another chain",
    onChain,
    `update chain_payments set block_hash = repeat('a', 64) where units = 250000`,
  ],
  [
    "a payment above the newest block",
    onChain,
    `update chain_payments set block_height = block_height + 1000 where units = 250000`,
  ],
  ["a payment without its transaction", onChain, `delete from chain_transactions`],
  [
    "a credit of a payment without confirmations",
    onChain,
    `alter table deposits drop constraint confirmations_count_from_one; update deposits set confirmations = 0 where payment_id is not null`,
  ],
  [
    "a withdrawal's address in withdrawal and book alike",
    where,
    `update withdrawal_addresses set address = 'bcrt1qelsewhere' where customer_id = (select customer_id from withdrawals where id = ${withdrawal("settled")});
     update withdrawals set address = 'bcrt1qelsewhere' where id = ${withdrawal("settled")}`,
  ],
  [
    "a withdrawal to any address, of a customer who was said to be erased",
    where,
    `update customers set closed_at = now(), erased_at = now() where id = (select customer_id from withdrawals where id = ${withdrawal("requested")});
     update withdrawals set address = 'bcrt1qelsewhere' where id = ${withdrawal("requested")}`,
  ],
  [
    "an approved withdrawal whose act says another amount",
    where,
    `update audit_log set detail = '{"amount": "0.5 BTC", "address": "elsewhere"}' where id = (select approved_by_act from withdrawals where id = ${withdrawal("settled")})`,
  ],
  [
    "a withdrawal's dollars",
    where,
    `update withdrawals set usd_cents = 1, price_id = (select id from market_prices where pinned and asset = 'BTC' limit 1) where id = ${withdrawal("settled")}`,
  ],
  [
    "an address that did not wait",
    waited,
    `alter table withdrawal_addresses drop constraint new_addresses_cool_down; update withdrawal_addresses set usable_from = added_at`,
  ],
  [
    "a withdrawal due before its day",
    waited,
    `alter table withdrawals drop constraint requests_of_a_day_leave_on_the_next; update withdrawals set due_on = due_on - 1 where id = ${withdrawal("settled")}`,
  ],
  [
    "a withdrawal approved before it was asked for",
    waited,
    `update withdrawals set approved_at = requested_at - interval '1 hour' where id = ${withdrawal("settled")}`,
  ],
  [
    "a batch above the limit that needs one person",
    twoForBatch,
    `update audit_log set detail = detail || '{"needsTwo": true}' where act = 'withdrawals/form-batch'`,
  ],
  [
    "a batch in a block before it was formed",
    twoForBatch,
    `update withdrawal_batches set mined_height = formed_height - 1 where mined_height is not null`,
  ],
  [
    "a batch in a block of another chain",
    twoForBatch,
    `update withdrawal_batches set mined_height = (select max(height) from chain_blocks) where mined_height is not null`,
  ],
  [
    "a contract that was never bought",
    purchases,
    `select unseal(), plant('contract-purchase:' || gen_random_uuid(), 'contract-purchase', t.owner_id, times(t.legs, 0.5), t.source, now()) from a('deposit') d, a('contract-purchase') t where false;
     select plant('contract-purchase:' || gen_random_uuid(), 'contract-purchase', i.owner_id, t.legs, t.source, now()) from a('inactivity-fee') i, a('contract-purchase') t`,
  ],
  [
    "a contract's price in the contract",
    purchases,
    `update contracts set units = units + 1 where transfer_id = (select id from a('contract-purchase'))`,
  ],
  [
    "a contract's price in contract, quote and ledger alike",
    quotes,
    `select unseal(), rescale(key, times(legs, 0.5)) from a('contract-purchase');
     update contract_quotes q set units = q.units / 2 from contracts c where c.quote_id = q.id and c.transfer_id = (select id from a('contract-purchase'));
     update contracts set units = units / 2 where transfer_id = (select id from a('contract-purchase'))`,
  ],
  [
    "a contract's hashrate",
    quoted,
    `update contracts set ghs = ghs * 2 where transfer_id = (select id from a('contract-purchase'))`,
  ],
  [
    "a contract of another order than its quote's",
    quoted,
    `update contracts set order_id = gen_random_uuid() where transfer_id = (select id from a('contract-purchase'))`,
  ],
  [
    "a contract moved to another customer",
    purchases,
    `update contracts set customer_id = somebody_else(customer_id) where transfer_id = (select id from a('contract-purchase'))`,
  ],
  [
    "a contract given back after its time",
    givenBack,
    `alter table contracts drop constraint only_what_has_not_started_is_given_back; update contracts set ended_at = cooling_off_until + interval '1 day' where end_reason = 'given-back'`,
  ],
  ["an ending without its row", givenBack, `delete from contract_endings where reason = 'served'`],
  [
    "a contract that ended a day early",
    ends,
    `alter table contracts drop constraint what_is_served_runs_its_term; update contracts set last_day = last_day - 1 where end_reason = 'served'`,
  ],
  [
    "a contract cancelled without a clock",
    ends,
    `delete from maintenance_clocks where state = 'expired'`,
  ],
  [
    "a contract that runs on after its term",
    ends,
    `update contracts set last_day = null, end_reason = null, ended_at = null where end_reason = 'served'`,
  ],
  [
    "a refund's days",
    endings,
    `update contract_endings set served_days = served_days + 1 where refunded_units > 0`,
  ],
  [
    "a refund that its plan keeps",
    endings,
    `update contract_endings set refunded_units = forfeited_units, forfeited_units = 0 where forfeited_units > 0`,
  ],
  [
    "a refund doubled",
    refunds,
    `select unseal(), rescale(key, times(legs, 2)) from a('contract-refund')`,
  ],
  [
    "a refund to another customer",
    refunds,
    `select unseal(), give_to(key, somebody_else(owner_id)) from a('contract-refund')`,
  ],
  [
    "a credit from nowhere",
    daily,
    `select unseal(), plant('mining-credit:2026-03-20:' || i.owner_id, 'mining-credit', i.owner_id, t.legs, t.source, t.occurred_at, t.day) from a('inactivity-fee') i, a('mining-credit') t`,
  ],
  [
    "a credit in another style of dates",
    daily,
    `select unseal(), plant('mining-credit:20.03.2026:' || t.owner_id, 'mining-credit', t.owner_id, t.legs, t.source, t.occurred_at, t.day) from a('mining-credit') t`,
  ],
  [
    "two customers' credits exchanged",
    daily,
    `select unseal(), give_to(t.key, somebody_else(t.owner_id)) from (select t.* from ledger_transfers t join ledger_accounts a on a.owner_id = t.owner_id and a.account = 'available' and a.asset = 'BTC'
     where t.kind = 'mining-credit' order by a.balance desc, t.number desc limit 1) t`,
  ],
  [
    "two credits changed against each other",
    daily,
    `select unseal(); select rescale(key, times(legs, 2)) from a('mining-credit'); select rescale(key, times(legs, 0.5)) from ledger_transfers where kind = 'mining-credit' and (legs[1]).units = 2 * (select (legs[1]).units from a('mining-credit')) / 2 and key <> ${first("mining-credit")} and false`,
  ],
  ["a fee of a day erased", daily, `select unseal(), vanish(${first("maintenance-fee")})`],
  [
    "arrears collected twice",
    daily,
    `select unseal(), plant('maintenance-arrears:' || gen_random_uuid(), 'maintenance-fee', t.owner_id, t.legs, t.source, now()) from ledger_transfers t where key like 'maintenance-arrears:%' limit 1`,
  ],
  [
    "a day's share of the operator",
    house,
    `select unseal(), rescale(key, times(legs, 2)) from a('operator-share')`,
  ],
  ["a day's remainder erased", house, `select unseal(), vanish(${first("rounding-carry")})`],
  [
    "a credit before its day was worked out",
    inTime,
    `select unseal(); update ledger_transfers set occurred_at = '2026-03-02T00:00:00Z' where key = (select min(key) from ledger_transfers where kind = 'mining-credit')`,
  ],
  [
    "a fee of an idle account on more than there was",
    idleFees,
    `update inactivity_fees set usd_micros = usd_micros + 1 where day = (select max(day) from inactivity_fees)`,
  ],
  [
    "a fee of an idle account from nowhere",
    idle,
    `select unseal(), plant('inactivity-fee:2026-03-20:' || t.owner_id, 'inactivity-fee', t.owner_id, t.legs, t.source, t.occurred_at, '2026-03-20') from a('inactivity-fee') t`,
  ],
  [
    "a correction doubled",
    corrections,
    `select unseal(), rescale(key, times(legs, 2)) from ledger_transfers where kind = 'mining-correction' and owner_id = '00000000-0000-0000-0000-000000000000' limit 1`,
  ],
  [
    "a correction's sum",
    fixes,
    `alter table mining_corrections drop constraint corrections_are_given_out_to_the_satoshi; update mining_corrections set customers_change_sats = customers_change_sats + 1`,
  ],
  [
    "a loss made good that there never was",
    fixes,
    `alter table mining_customer_corrections drop constraint corrections_move_what_they_change_or_less;
     update mining_customer_corrections c set lost_sats = -1, usd_micros = div((change_sats - 1) * r.btc_usd_e8, 10000000000) from mining_runs r where r.day = c.day;
     update mining_corrections f set lost_sats = (select coalesce(sum(lost_sats), 0) from mining_customer_corrections c where c.payout_id = f.payout_id)`,
  ],
  [
    "a run's fees",
    sums,
    `update mining_runs set fees_paid_sats = fees_paid_sats + 1 where day = ${aDay}`,
  ],
  [
    "a customer's day that is set apart no longer",
    sums,
    `update mining_chunks set posted_at = now() where set_apart_at is not null and posted_at is null`,
  ],
  [
    "a run's earnings",
    sums,
    `update mining_runs set earned_btc_units = earned_btc_units + 1 where day = ${aDay}`,
  ],
  [
    "a run's hashrate",
    network,
    `alter table mining_runs drop constraint payouts_are_shared_by_the_larger_hashrate; update mining_runs set shared_ghs = shared_ghs + 1 where day = ${aDay}`,
  ],
  [
    "a run's difficulty",
    network,
    `update mining_runs set network_observed_at = now(), difficulty = 1, subsidy_sats = 1, fees_per_block_sats = 1 where day = ${aDay}`,
  ],
  [
    "a receipt's credit",
    receipts,
    `update mining_contract_days set credit_sats = credit_sats + 1 where day = ${aDay}`,
  ],
  [
    "a receipt of a contract that had ended",
    receipts,
    `insert into mining_contract_days select (jsonb_populate_record(d, jsonb_build_object('day', ${aDay}))).* from mining_contract_days d join contracts c on c.id = d.contract_id and c.last_day = '2026-03-07' where d.day = c.last_day`,
  ],
  [
    "a run's rate of maintenance",
    "every run is priced by a price that is kept, and charges maintenance as announced",
    `update mining_run_plans set maintenance_usd_micros = maintenance_usd_micros + 1 where day = ${aDay}`,
  ],
  [
    "a run's payout",
    "every run rests on recorded payouts, or on an act of staff where no pool counted, and on the contracts that ran",
    `alter table mining_runs drop constraint what_is_given_out_is_paid_or_carried; update mining_runs set payout_sats = payout_sats + 1 where day = ${aDay}`,
  ],
  [
    "an operator's share that took from what is carried",
    "every day's evidence is given out to the satoshi, corrections included",
    `update mining_runs set operator_share_sats = operator_share_sats + 1, remainder_sats = remainder_sats - 1 where day = ${aDay}`,
  ],
  [
    "a contract that a correction left out, to the operator's benefit",
    "every correction is what its payout changed, contract by contract",
    `delete from mining_contract_corrections where contract_id = (select contract_id from mining_contract_corrections limit 1)`,
  ],
  [
    "a change of a contract that its credits do not make",
    "every correction is what its payout changed, contract by contract",
    `update mining_contract_corrections set change_sats = change_sats + 1`,
  ],
  [
    "a fee that is owed and never was",
    "what was not paid in a run is owed, was collected by a transfer, or lapsed",
    `insert into maintenance_arrears (contract_id, day, customer_id, bought_at, fee_sats, usd_micros, posted_at) select c.id, ${aDay}, c.customer_id, c.bought_at, 5, 0, now() from contracts c where c.last_day is null limit 1`,
  ],
  [
    "a fee that lapsed before its contract ended",
    owed,
    `update maintenance_arrears a set closed_at = c.ended_at - interval '1 hour' from contracts c where c.id = a.contract_id and a.state = 'lapsed'`,
  ],
  [
    "a fee that is owed, of another customer",
    owed,
    `update maintenance_arrears set customer_id = somebody_else(customer_id) where state = 'lapsed'`,
  ],
  [
    "a clock that ran out too early",
    clocks,
    `update maintenance_clocks set expires_at = expires_at - interval '1 hour' where state = 'expired'`,
  ],
  [
    "a clock that does not run",
    clocks,
    `insert into maintenance_arrears (contract_id, day, customer_id, bought_at, fee_sats, usd_micros, posted_at) select c.id, ${aDay}, c.customer_id, c.bought_at, 5, 0, now() from contracts c where c.last_day is null limit 1`,
  ],
  [
    "a remainder that nobody left",
    remainders,
    `select unseal(), plant('remainder-left:' || gen_random_uuid(), 'remainder-left', i.owner_id, t.legs, t.source, now()) from a('inactivity-fee') i, a('remainder-left') t`,
  ],
  [
    "a remainder of somebody who stayed",
    remainders,
    `delete from account_closings where id = (select closing_id from left_remainders)`,
  ],
  [
    "a remainder above what may be left",
    mayBeLeft,
    `alter table left_remainders drop constraint only_what_is_not_worth_sending_is_left; update left_remainders set most_units = 5`,
  ],
  [
    "chunks of a day deleted",
    chunks,
    `delete from mining_chunks where day = ${aDay} and correction_id is null`,
  ],
  [
    "a chunk's sums",
    chunks,
    `update mining_chunks set fees_paid_sats = fees_paid_sats + 1 where day = ${aDay} and posted_at is not null`,
  ],
  [
    "a chunk that was posted and says that it was not",
    chunks,
    `update mining_chunks set posted_at = null where day = ${aDay} and set_apart_at is null`,
  ],
  [
    "a customer set apart who is tried never again",
    chunks,
    `update mining_chunks set retry_at = 'infinity' where set_apart_at is not null and posted_at is null`,
  ],
  [
    "a chunk of nobody, set apart",
    chunks,
    `alter table mining_chunks disable trigger all; update mining_chunks set first_customer_id = '11111111-1111-4111-8111-111111111111', last_customer_id = '11111111-1111-4111-8111-111111111111' where set_apart_at is not null and posted_at is null`,
  ],
  [
    "a customer who is set apart, closed",
    chunks,
    `update customers set closed_at = now() where id in (select first_customer_id from mining_chunks where set_apart_at is not null and posted_at is null)`,
  ],
  [
    "what is reserved for a customer who is set apart",
    chunks,
    `update mining_chunks set reserved_sats = reserved_sats + 1 where set_apart_at is not null and posted_at is null`,
  ],
  [
    "a run by the act of something else",
    byPerson,
    `update mining_runs set action_id = (select id from audit_log limit 1) where day = ${aDay}`,
  ],
  [
    "a notice that was sent after its fee",
    byPerson,
    `update inactivity_notices set told_at = now() where id in (select notice_id from inactivity_fees)`,
  ],
  [
    "a notice that was never sent before its fee",
    byPerson,
    `update inactivity_notices set told_at = null where id in (select notice_id from inactivity_fees)`,
  ],
  [
    "a notice that was sent six days before its fee",
    byPerson,
    `update inactivity_notices n set told_at = (select min(day) - 6 from inactivity_fees where notice_id = n.id)`,
  ],
  [
    "hours in which a contract can be given back",
    running,
    `alter table contracts drop constraint cooling_off_ends_before_the_start; update contracts set cooling_off_until = cooling_off_until + interval '1 day' where end_reason = 'given-back'`,
  ],
  [
    "a contract's planned end",
    running,
    `alter table contracts drop constraint terms_are_counted_in_days; update contracts set planned_last_day = planned_last_day + 1 where id = (select id from contracts where last_day is null limit 1)`,
  ],
  [
    "the terms of a contract",
    texts,
    `update contracts set terms_sha256 = sha256('others') where id = (select id from contracts limit 1)`,
  ],
  [
    "what is sold of a day",
    fleet,
    `update fleet_days set sold_ghs = sold_ghs + 1 where day = ${aDay}`,
  ],
  [
    "what the machines can do on a day",
    fleet,
    `update fleet_days set capacity_ghs = capacity_ghs + 1 where day = ${aDay}`,
  ],
  ["what was measured of machines", fleet, `delete from machine_delivery_states`],
  [
    "what is for sale of what pools saw",
    "what is for sale rests on what pools measured and paid on each posted day",
    `update capacity_evidence set sellable_ghs = coalesce(sellable_ghs, 0) + 1 where day = (select max(day) from capacity_evidence)`,
  ],
  [
    "what pools saw of a day, left out",
    "what is for sale rests on what pools measured and paid on each posted day",
    `delete from capacity_evidence where day = (select max(day) from capacity_evidence)`,
  ],
  [
    "a plan published by the act on another",
    published,
    `update plan_versions set published_action_id = (select id from audit_log where act = 'plans/draft' limit 1)`,
  ],
  [
    "a plan's terms",
    published,
    `update audit_log set detail = '{"offeredGhs": "5"}' where act = 'plans/publish'`,
  ],
  [
    "a plan that its writer published where another could",
    published,
    `insert into audit_log overriding system value select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'act', 'plans/draft', 'position', p.position - 1000000))).*
       from audit_log p where p.act = 'plans/publish';
     update audit_log set operator_id = (select operator_id from audit_log where act = 'deposits/propose-resolution' limit 1), occurred_at = now() + interval '1 hour'
      where act in ('plans/draft', 'plans/publish')`,
  ],
  [
    "a plan retired by the act on another",
    published,
    `update plan_versions set state = 'retired', retired_at = now(), retired_action_id = published_action_id where id = (select id from plan_versions limit 1)`,
  ],
  ["quotes behind a price", priced, `delete from market_quotes`],
  [
    "a price moved by a tenth of a cent",
    priced,
    `update market_prices set usd_e8 = usd_e8 + 100000 where pinned`,
  ],
  [
    "a simulated price",
    priced,
    `update market_prices set simulated = true where pinned; update installation set demo = false; insert into installation values (true, 'regtest', false, now()) on conflict do nothing`,
  ],
  [
    "a change of the staff decided by who proposed it",
    staffed,
    `insert into staff_changes (id, kind, email, first_name, last_name, role, proposed_by, proposed_by_act, proposed_at, expires_at, state, decided_by, decided_by_act, decided_at)
     select gen_random_uuid(), 'invite', 'mallory@example.com', 'Mallory', 'M', 'owner', operator_id, id, occurred_at, occurred_at + interval '168 hours', 'withdrawn', operator_id, id, occurred_at
       from audit_log where operator_id is not null limit 1;
     alter table staff_changes drop constraint nobody_confirms_his_own_proposal; update staff_changes set state = 'confirmed'`,
  ],
  [
    "an adjustment proposed at another time",
    dated,
    `update adjustments set proposed_at = proposed_at - interval '1 hour' where id = ${gift}`,
  ],
  [
    "a kind that nothing asks about",
    "every transfer is of a kind whose documents are asked for",
    `select unseal(), plant('planted', 'conversion', t.owner_id, '{"(available,BTC,5)","(conversion,BTC,-5)"}', 'x', now()) from a('deposit') t`,
  ],
  [
    "a reversal of what is never reversed",
    "every transfer is of a kind whose documents are asked for",
    `select unseal(), plant('planted', 'reversal', t.owner_id, times(t.legs, -1), t.source, now(), null, t.id) from a('inactivity-fee') t`,
  ],
  [
    "a transfer under another key",
    "every transfer is registered under its id, key and kind, and nothing else is",
    `update ledger_keys set key = 'planted' where id = (select id from a('deposit'))`,
  ],
  [
    "a transfer under another kind",
    "every transfer is registered under its id, key and kind, and nothing else is",
    `update ledger_keys set kind = 'hold' where id = (select id from a('deposit'))`,
  ],
  [
    "a leaf with less",
    leaves,
    "update proof_leaves set btc_balance = btc_balance - 1 where btc_balance > 0",
  ],
  [
    "a debt that is hidden",
    tree,
    `update proof_nodes set btc = btc - 1 where btc > 0 and height = 0`,
  ],
  ["a day's digest that is another one", digests, `update proof_days set digest = sha256('x')`],
  [
    "a seal under a day's digest made anew",
    standing,
    `update ledger_seals set hash = sha256('x') where number = (select max(seal_number) from proof_days)`,
  ],
  [
    "an account of nobody",
    "every account and every transfer belongs to a customer or to the house",
    `insert into ledger_accounts values (gen_random_uuid(), 'available', 'BTC', 0, 0)`,
  ],
];

beforeAll(async () => {
  await owner.query(plantingFunctions);
});

/** No rule is in force any more, and no reference is looked up. */
const withoutRules = `
  set local session_replication_role = replica;
  do $$ declare of record; begin
    for of in select distinct tgrelid::regclass as relation from pg_trigger t join pg_class c on c.oid = t.tgrelid
               where not tgisinternal and c.relnamespace = 'public'::regnamespace loop
      execute format('alter table %s disable trigger user', of.relation);
    end loop; end $$`;

test.each(plantings)("finds %s: %s", async (_, claim, sql) => {
  const client = await owner.connect();
  try {
    await client.query("begin");
    if (claim !== inForce && claim !== digestsInForce) await client.query(withoutRules);
    await client.query(sql);
    const { drizzle } = await import("drizzle-orm/node-postgres");
    const inside = drizzle({ client });
    const planted = {
      transaction: (act: (tx: unknown) => unknown) => act(inside),
    } as unknown as Db;
    const asked = bookClaims.find((each) => each.claim === claim);
    // What one statement finds is asked alone: all of them would take most of a minute of a run.
    const checks = asked
      ? await verifyClaims(planted, [asked])
      : [...(await verifyBooks(planted)), ...(await verifyMining(planted))];
    const wrong = checks.filter(({ holds }) => !holds);
    expect(wrong.map((each) => each.claim)).toContain(claim);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

afterAll(() => {
  const named = new Set(plantings.map(([, claim]) => claim));
  expect(claims.filter((claim) => !named.has(claim))).toEqual([]);
});
