import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { type Coin, coins } from "#core/asset.ts";
import { Refusal } from "#core/refusal.ts";
import { aTransfer } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { isCustomerAccount } from "./account.ts";
import { postTransfer } from "./post-transfer.ts";
import { postTransfers } from "./post-transfers.ts";
import { getTrialBalance } from "./queries.ts";
import { reverseTransfer } from "./reverse-transfer.ts";
import { sealTransfers } from "./seal-transfers.ts";
import { snapshotHouseBalances } from "./snapshot-house-balances.ts";
import type { Leg, PostedKind, Transfer } from "./transfer.ts";
import { verifyJournal } from "./verify-journal.ts";

const { db, owner } = await testDatabase();

const runs = Number(process.env["LEDGER_PROPERTY_RUNS"] ?? 200);
const lanes = 4;
let sequences = 0;
let commands = 0;
let posted = 0;
let repeated = 0;
let refused = 0;

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

const moves: Partial<
  Record<PostedKind, (units: bigint) => Parameters<typeof aTransfer>[0]["moves"]>
> = {
  deposit: (units) => ({ available: units, custody: -units }),
  hold: (units) => ({ available: -units, held: units }),
  "hold-release": (units) => ({ available: units, held: -units }),
};

const posting: fc.Arbitrary<Posting> = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant<PostedKind>("deposit") },
    { weight: 5, arbitrary: fc.constantFrom(...(Object.keys(moves) as PostedKind[])) },
  ),
  customer: fc.nat({ max: 2 }),
  key: fc.nat({ max: 9 }),
  asset: fc.constantFrom<Coin>("BTC", "ETH"),
  units: fc.bigInt({ min: 2n, max: 12n }),
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
  key: string;
  transferId: string;
  posted: boolean;
  legs: Leg[];
}

class World {
  readonly customers = Array.from({ length: 3 }, () => randomUUID());
  readonly answers: Answer[] = [];
  /** Everything that was ever asked for, also what was refused or is under way. */
  private readonly asked: Transfer[] = [];
  private readonly name = randomUUID();

  transfer({ kind, customer, key, asset, units, memo }: Posting): Transfer {
    const ownerId = this.customers[customer] ?? "";
    const wanted = { kind, ownerId, asset, memo, key: this.key(customer, key) };
    const transfer = aTransfer({ ...wanted, moves: moves[kind]?.(units) ?? {} });
    this.asked.push(transfer);
    return transfer;
  }

  key(customer: number, key: number): string {
    return `${this.name}:${customer}:${key}`;
  }

  async run(what: Command): Promise<void> {
    commands += 1;
    try {
      this.answers.push(...(await this.do(what)));
    } catch (error) {
      if (!(error instanceof Refusal) && !(error instanceof OnPurpose)) throw error;
      if (error instanceof Refusal) expect(expectedRefusals).toContain(error.code);
      refused += 1;
    }
  }

  private async do(what: Command): Promise<Answer[]> {
    if (what.does === "reverse") return [await this.reverse(what)];
    if (what.does === "ask again") {
      const again = this.asked.at(-1 - what.back);
      if (!again) return [];
      const [done] = what.among
        ? await postTransfers(db, [again, again])
        : [await postTransfer(db, again)];
      return [answer(again, done)];
    }
    if (what.does === "post") {
      const transfer = this.transfer(what.posting);
      return [{ ...transfer, ...(await postTransfer(db, transfer)) }];
    }
    if (what.does === "post many") {
      const transfers = what.postings.map((each) => this.transfer(each));
      const done = await postTransfers(db, transfers);
      return done.map((each, place) => answer(transfers[place], each));
    }
    const [first, second] = what.postings;
    const transfers = [first, { ...second, customer: first.customer }].map((each) =>
      this.transfer(each),
    );
    return db.transaction(async (tx) => {
      const answers: Answer[] = [];
      for (const transfer of transfers)
        answers.push(answer(transfer, await postTransfer(tx, transfer)));
      if (what.andFail) throw new OnPurpose();
      return answers;
    });
  }

  private async reverse({
    customer,
    key,
    reversalKey,
  }: Extract<Command, { does: "reverse" }>): Promise<Answer> {
    const reversed = this.answers.find((each) => each.key === this.key(customer, key));
    const done = await reverseTransfer(db, {
      transferId: reversed?.transferId ?? randomUUID(),
      key: this.key(customer, reversalKey),
      occurredAt: new Date(),
      memo: "",
    });
    const legs = (reversed?.legs ?? []).map((leg) => ({ ...leg, units: -leg.units }));
    return { ...done, key: this.key(customer, reversalKey), legs };
  }
}

class OnPurpose extends Error {}

const expectedRefusals = [
  "ledger/insufficient-balance",
  "ledger/key-reused",
  "ledger/already-reversed",
  "ledger/not-reversible",
  "ledger/unknown-transfer",
];

function answer(
  transfer: Transfer | undefined,
  done: { transferId: string; posted: boolean } | undefined,
): Answer {
  if (!transfer || !done) throw new Error("a question without an answer");
  return { key: transfer.key, legs: transfer.legs, ...done };
}

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

  const expected = new Map<string, bigint>();
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
    [world.customers],
  );
  for (const row of rows) {
    expect(row.balance, row.account).toBe(row.units);
    expect(row.entry_count, row.account).toBe(row.entries);
    expect(BigInt(row.lowest ?? 0) >= 0n && BigInt(row.balance) >= 0n, row.account).toBe(true);
    expect(BigInt(row.balance), row.account).toBe(expected.get(row.account) ?? 0n);
    expected.delete(row.account);
  }
  expect([...expected.values()].filter((units) => units !== 0n)).toEqual([]);

  const trial = await getTrialBalance(db);
  for (const coin of coins) expect(trial[coin].sum, coin).toBe(0n);
}

test("whatever four clients do at once, the books balance and repeats post nothing", {
  timeout: 300_000,
}, async () => {
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
  expect((await verifyJournal(db)).filter(({ holds }) => !holds)).toEqual([]);
  const summary = { sequences, commands, posted, repeated, refused };
  // Zero of any of these would mean that nothing was tried.
  for (const [what, count] of Object.entries(summary))
    expect(count, what).toBeGreaterThan(runs / 10);
});
