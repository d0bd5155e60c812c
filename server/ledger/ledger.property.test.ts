import { createHash, randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { type Coin, coins } from "#core/asset.ts";
import { Refusal } from "#core/refusal.ts";
import { parseWalletKey } from "#core/wallet/wallet-key.ts";
import { recordWallets } from "#server/chain/wallets/record-wallets.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { newTestDescriptor } from "#tests/factories/chain.ts";
import { documentDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestFleet, createTestPlan, documentPurchase } from "#tests/factories/mining.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { aTransfer } from "#tests/factories/transfer.ts";
import { letWithdraw, someAddress } from "#tests/factories/withdrawal.ts";
import {
  documentCancellation,
  documentRequest,
  documentSending,
} from "#tests/factories/withdrawal-document.ts";
import { isLong } from "#tests/setup/slowness.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { isCustomerAccount } from "./account.ts";
import { getTrialBalance } from "./get-trial-balance.ts";
import { postTransfer } from "./post-transfer.ts";
import { postTransfers } from "./post-transfers.ts";
import { reverseTransfer } from "./reverse-transfer.ts";
import { sealTransfers } from "./seal-transfers.ts";
import { snapshotHouseBalances } from "./snapshot-house-balances.ts";
import type { Leg, PostedKind, Transfer } from "./transfer.ts";
import { verifyLedger } from "./verify/verify-ledger.ts";

const { db, owner } = await testDatabase();

const runs = Number(process.env["LEDGER_PROPERTY_RUNS"] ?? (isLong ? 120 : 30));
const lanes = 4;
let sequences = 0;
let commands = 0;
let posted = 0;
let repeated = 0;
let refused = 0;

// At noon, so that what is asked for 23 hours before is due and its link still works.
const now = new Date("2026-06-15T12:00:00Z");
const asked = new Date(now.getTime() - 23 * 3_600_000);
const operatorId = (await createTestOperator(db)).id;
const customers = await Promise.all([1, 2, 3].map(createWithdrawingCustomer));
const walletId = await createWallet();
const offer = await createOffer();
/** What earlier sequences left to each account: `owner account asset`. */
let owned = new Map<string, bigint>();

async function createWithdrawingCustomer() {
  const { id } = await createTestCustomer(db, { now: new Date(now.getTime() - 6 * 86_400_000) });
  const address = someAddress();
  await letWithdraw(db, id, { units: 1_000_000n, address, now });
  const { rows } = await owner.query(
    "select usable_from from withdrawal_addresses where customer_id = $1",
    [id],
  );
  return { id, address, payableFrom: rows[0].usable_from as Date };
}

async function createWallet(): Promise<string> {
  const key = parseWalletKey(newTestDescriptor(), "bitcoin", "regtest");
  if (typeof key === "string") throw new Error(key);
  await recordWallets(db, [key], now);
  return (await owner.query("select id from wallets")).rows[0].id;
}

async function createOffer() {
  await createTestFleet(db, { ghs: 1_000_000_000n, from: "2026-06-01" });
  const { versionId } = await createTestPlan(db, { now, termDays: 1 });
  const prices = new Map<Coin, string>();
  for (const asset of ["BTC", "ETH"] as const) {
    prices.set(asset, await createTestPrice(db, { asset, usdE8: 100_000_000n, observedAt: now }));
  }
  return { versionId, prices };
}

/** What one of several clients does, by place: which customer, which key, how much. */
interface Posting {
  kind: PostedKind;
  customer: number;
  key: number;
  asset: Coin;
  units: bigint;
  /** Sometimes the same key comes with other words. */
  memo: string;
}
type Command =
  | { does: "post"; posting: Posting }
  | { does: "post many"; postings: Posting[] }
  | { does: "post two in one transaction"; postings: [Posting, Posting]; andFail: boolean }
  | { does: "reverse"; customer: number; key: number; reversalKey: number }
  | { does: "ask again"; back: number; among: boolean };

const withdrawalFee = 5_000n;

/** The kinds with a document of their own, which is written in the transaction that posts them; and one that needs none here. */
const moves: Partial<
  Record<PostedKind, (units: bigint) => Parameters<typeof aTransfer>[0]["moves"]>
> = {
  deposit: (units) => ({ available: units, custody: -units }),
  "contract-purchase": (units) => ({ available: -units, contract_prepaid: units }),
  "withdrawal-request": (units) => ({ available: -units, held: units }),
  "withdrawal-cancelled": (units) => ({ held: -units, available: units }),
  "withdrawal-sent": (units) => ({
    held: -units,
    custody: units - withdrawalFee,
    withdrawal_fee_revenue: withdrawalFee,
  }),
  conversion: (units) => ({ available: units, conversion: -units }),
};
const isWithdrawal = (kind: PostedKind) => kind.startsWith("withdrawal-");

const posting: fc.Arbitrary<Posting> = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant<PostedKind>("deposit") },
    { weight: 5, arbitrary: fc.constantFrom(...(Object.keys(moves) as PostedKind[])) },
  ),
  customer: fc.nat({ max: 2 }),
  key: fc.nat({ max: 9 }),
  asset: fc.constantFrom<Coin>("BTC", "ETH"),
  // From twice the least that can be withdrawn.
  units: fc.bigInt({ min: 2n, max: 12n }).map((times) => times * 70_000n),
  memo: fc.oneof(
    { weight: 9, arbitrary: fc.constant("") },
    { weight: 1, arbitrary: fc.constant("other") },
  ),
});
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("ask again" as const),
      back: fc.nat({ max: 7 }),
      among: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ does: fc.constant("post" as const), posting }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("post many" as const),
      postings: fc.array(posting, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant("post two in one transaction" as const),
      postings: fc.tuple(posting, posting),
      andFail: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("reverse" as const),
      customer: fc.nat({ max: 2 }),
      key: fc.nat({ max: 9 }),
      reversalKey: fc.integer({ min: 10, max: 13 }),
    }),
  },
);

/** What a client was told, and stands for once its transaction is through. */
interface Answer {
  /** Which customer's which key. */
  place: string;
  key: string;
  transferId: string;
  posted: boolean;
  legs: Leg[];
}

class World {
  readonly answers: Answer[] = [];
  /** Everything that was ever asked for, also what was refused or is under way. */
  private readonly asked: Asked[] = [];
  private readonly name = randomUUID();

  transfer({ kind, customer: nth, key, asset, units, memo }: Posting): Asked {
    const place = `${nth}:${key}`;
    const customer = customers[nth];
    if (!customer) throw new Error("a customer has a place");
    const documentId = asUuid(`${this.name}:${place}`);
    const wanted = {
      kind,
      ownerId: customer.id,
      asset: isWithdrawal(kind) ? ("BTC" as const) : asset,
      memo,
      key: `${kind}:${documentId}`,
      moves: moves[kind]?.(this.unitsOf(kind, place, units)) ?? {},
    };
    const each = { place, documentId, customer, transfer: aTransfer(wanted) };
    this.asked.push(each);
    return each;
  }

  /** A withdrawal ends with as much as it was asked for. */
  private unitsOf(kind: PostedKind, place: string, units: bigint): bigint {
    if (kind !== "withdrawal-sent" && kind !== "withdrawal-cancelled") return units;
    const request = this.answers.find(
      (each) => each.place === place && each.key.startsWith("withdrawal-request:"),
    );
    return request?.legs.find(({ account }) => account === "held")?.units ?? units;
  }

  async run(what: Command): Promise<void> {
    commands += 1;
    try {
      this.answers.push(...(await this.do(what)));
    } catch (error) {
      if (!(error instanceof OnPurpose)) expect(expectedRefusals).toContain(refusalOf(error));
      refused += 1;
    }
  }

  private async do(what: Command): Promise<Answer[]> {
    if (what.does === "reverse") return [await this.reverse(what)];
    if (what.does === "ask again") {
      const again = this.asked.at(-1 - what.back);
      if (!again) return [];
      const [done] = await this.postAll(what.among ? [again, again] : [again]);
      return done ? [done] : [];
    }
    if (what.does === "post") return this.postAll([this.transfer(what.posting)]);
    if (what.does === "post many") {
      return this.postAll(what.postings.map((each) => this.transfer(each)));
    }
    const [first, second] = what.postings;
    const two = [first, { ...second, customer: first.customer }].map((each) => this.transfer(each));
    return db.transaction(async (tx) => {
      const answers: Answer[] = [];
      for (const each of two) answers.push(...(await postWithDocuments(tx, [each])));
      if (what.andFail) throw new OnPurpose();
      return answers;
    });
  }

  /** What needs no document goes without a transaction of its own, as jobs post. */
  private async postAll(all: Asked[]): Promise<Answer[]> {
    if (all.some(({ transfer }) => transfer.kind !== "conversion")) {
      return db.transaction((tx) => postWithDocuments(tx, all));
    }
    return postBare(db, all);
  }

  private async reverse({
    customer,
    key,
    reversalKey,
  }: Extract<Command, { does: "reverse" }>): Promise<Answer> {
    const reversed = this.answers.find((each) => each.place === `${customer}:${key}`);
    const named = {
      place: `${customer}:${reversalKey}`,
      key: `${this.name}:${customer}:${reversalKey}`,
    };
    const done = await reverseTransfer(db, {
      transferId: reversed?.transferId ?? randomUUID(),
      key: named.key,
      occurredAt: new Date(),
      memo: "",
    });
    const legs = (reversed?.legs ?? []).map((leg) => ({ ...leg, units: -leg.units }));
    return { ...done, ...named, legs };
  }
}

interface Asked {
  place: string;
  documentId: string;
  customer: (typeof customers)[number];
  transfer: Transfer;
}

/** The ledger alone. */
async function postBare(on: Tx | Db, all: Asked[]): Promise<Answer[]> {
  const transfers = all.map(({ transfer }) => transfer);
  const [one] = transfers;
  const done =
    one && transfers.length === 1
      ? [await postTransfer(on, one)]
      : await postTransfers(on, transfers);
  return all.map(({ place, transfer: { key, legs } }, nth) => {
    const its = done[nth];
    if (!its) throw new Error("a question without an answer");
    return { place, key, legs, ...its };
  });
}

/** And what stands behind it. */
async function postWithDocuments(tx: Tx, all: Asked[]): Promise<Answer[]> {
  const answers = await postBare(tx, all);
  for (const [nth, { posted: isNew, transferId }] of answers.entries()) {
    const each = all[nth];
    if (each && isNew && each.transfer.kind !== "conversion") {
      await writeDocument(tx, each, transferId);
    }
  }
  return answers;
}

async function writeDocument(
  tx: Tx,
  { documentId, customer, transfer }: Asked,
  transferId: string,
) {
  const { kind, legs } = transfer;
  const asset = legs[0]?.asset ?? "BTC";
  const units = legs.map((leg) => leg.units).reduce((most, each) => (each > most ? each : most));
  const customerId = customer.id;
  if (kind === "deposit") {
    return documentDeposit(tx, {
      depositId: documentId,
      customerId,
      asset,
      units,
      transferId,
      now,
    });
  }
  if (kind === "contract-purchase") {
    return documentPurchase(tx, {
      contractId: documentId,
      customerId,
      transferId,
      versionId: offer.versionId,
      quantity: 1,
      ghs: 1_000n,
      termDays: 1,
      usdCents: 10_000n,
      coin: asset,
      units,
      priceId: offer.prices.get(asset) ?? "",
      coolingOffUntil: null,
      now,
      startsOn: "2026-06-16",
      plannedLastDay: "2026-06-16",
    });
  }
  const held = legs.find(({ account }) => account === "held")?.units ?? 0n;
  const leaving = {
    withdrawalId: documentId,
    customerId,
    feeUnits: withdrawalFee,
    address: customer.address,
    payableFrom: customer.payableFrom,
    units: held < 0n ? -held : held,
  };
  if (kind === "withdrawal-request") {
    return documentRequest(tx, leaving, { transferId, now: asked });
  }
  if (kind === "withdrawal-cancelled") {
    return documentCancellation(tx, documentId, { transferId, now });
  }
  return documentSending(tx, leaving, { transferId, walletId, operatorId, now });
}

/** The same words, the same id. */
function asUuid(words: string): string {
  const digits = createHash("sha256").update(words).digest("hex");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

function refusalOf(error: unknown): unknown {
  if (error instanceof Refusal) return error.code;
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  const constraint = cause instanceof Error && "constraint" in cause ? cause.constraint : undefined;
  if (constraint === undefined) throw error;
  return constraint;
}

class OnPurpose extends Error {}

const expectedRefusals = [
  "ledger/insufficient-balance",
  "ledger/key-reused",
  "ledger/already-reversed",
  "ledger/not-reversible",
  "ledger/unknown-transfer",
  // Of withdrawals that were never asked for, or have ended otherwise.
  "versions_pay_their_batch",
  "versions_balance",
  "withdrawals_move_forward",
  "ended_withdrawals_are_posted",
  "transfers_of_withdrawals_have_their_withdrawal",
  // Of documents that stand.
  "deposits_are_reversed_with_their_payment",
  "purchases_are_reversed_when_given_back",
];

/** Repeats got the first transfer and posted nothing; what was posted, and nothing else, is what balances say. */
async function expectTruth(world: World): Promise<void> {
  const firsts = new Map<string, Answer>();
  for (const each of world.answers.filter((answered) => answered.posted)) {
    expect(firsts.has(each.key), `${each.key} was posted twice`).toBe(false);
    firsts.set(each.key, each);
  }
  for (const each of world.answers) {
    expect(firsts.get(each.key)?.transferId, `${each.key} has one transfer`).toBe(each.transferId);
  }
  posted += firsts.size;
  repeated += world.answers.length - firsts.size;

  const expected = new Map(owned);
  for (const leg of [...firsts.values()].flatMap(({ legs }) => legs)) {
    if (!isCustomerAccount(leg.account)) continue;
    const account = `${leg.owner} ${leg.account} ${leg.asset}`;
    expected.set(account, (expected.get(account) ?? 0n) + leg.units);
  }
  const { rows } = await owner.query(
    `select a.owner_id || ' ' || a.account || ' ' || a.asset as account, a.balance, a.entry_count,
            coalesce(sum(e.units), 0) as units, count(e) as entries, min(e.balance_after) as lowest
       from ledger_accounts a
       left join ledger_entries e on e.owner_id = a.owner_id and e.account = a.account and e.asset = a.asset
      where a.owner_id = any ($1) group by a.owner_id, a.account, a.asset`,
    [customers.map(({ id }) => id)],
  );
  for (const row of rows) {
    expect(row.balance, row.account).toBe(row.units);
    expect(row.entry_count, row.account).toBe(row.entries);
    expect(BigInt(row.lowest ?? 0) >= 0n && BigInt(row.balance) >= 0n, row.account).toBe(true);
    expect(BigInt(row.balance), row.account).toBe(expected.get(row.account) ?? 0n);
  }
  const listed = new Set(rows.map(({ account }) => account));
  expect([...expected].filter(([account, units]) => units !== 0n && !listed.has(account))).toEqual(
    [],
  );
  owned = expected;

  const trial = await getTrialBalance(db);
  for (const coin of coins) expect(trial[coin].sum, coin).toBe(0n);
}

test("whatever four clients do at once, the books balance and repeats post nothing", async () => {
  for (const { id } of customers) owned.set(`${id} available BTC`, 1_000_000n);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(command, { minLength: 1, maxLength: 8 }), {
        minLength: lanes,
        maxLength: lanes,
      }),
      async (work) => {
        const world = new World();
        sequences += work.length;
        await Promise.all(
          work.map(async (lane) => {
            for (const each of lane) await world.run(each);
          }),
        );
        if (sequences % 40 === 0) await sealTransfers(db, new Date());
        if (sequences % 80 === 0) await snapshotHouseBalances(db, 100);
        await expectTruth(world);
      },
    ),
    { numRuns: runs, endOnFailure: true },
  );
});

afterAll(async () => {
  await sealTransfers(db, new Date());
  expect((await verifyLedger(db)).filter(({ holds }) => !holds)).toEqual([]);
  const summary = { sequences, commands, posted, repeated, refused };
  // Zero of any of these would mean that nothing was tried.
  for (const [what, count] of Object.entries(summary))
    expect(count, what).toBeGreaterThan(runs / 10);
});
