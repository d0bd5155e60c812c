import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type Coin, coins } from "../core/asset.ts";
import { listStatement, type StatementListing } from "../server/ledger/list-statement.ts";
import { postTransfers } from "../server/ledger/post-transfers.ts";
import type { Transfer } from "../server/ledger/transfer.ts";
import type { Db } from "../server/platform/database.ts";
import { valueLines } from "../server/statements/value-lines.ts";
import { benchOn, startOwnPostgres, withoutDocuments } from "./load/own-postgres.ts";
import { hold, printTable } from "./load/table.ts";

const { values: options } = parseArgs({
  options: {
    entries: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "200" },
  },
});
const entries = Number(options.entries);
const rounds = Number(options.rounds);
const show = 100;
const barMs = 50;
/** How much more a page may cost where there are ten times as many entries. */
const growthBar = 1.5;

interface Customer {
  id: string;
  entries: number;
}
const long: Customer = { id: "00000000-0000-4000-8000-000000000001", entries };
const short: Customer = { id: "00000000-0000-4000-8000-000000000002", entries: entries / 10 };

const postgres = await startOwnPostgres();
await benchOn(postgres, bench);

async function bench(db: Db): Promise<void> {
  const { rows } = await db.$client.query("select version()");
  console.log(`${rows[0].version}, ${cpus().length} CPUs`);
  // What is read is measured, so that nothing has to stand behind it.
  await withoutDocuments(postgres.ownerUrl);
  for (const customer of [short, long]) await fill(db, customer);
  const measures: Measure[] = [
    { name: `primary-key range, ${show} transfers`, run: () => range(db, entries / 2) },
    ...(await pagesOf(db, short)),
    ...(await pagesOf(db, long)),
  ];
  const seen = new Map<Measure, number[]>(measures.map((each) => [each, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const each of measures) {
      const began = performance.now();
      await each.run();
      seen.get(each)?.push(performance.now() - began);
    }
  }
  report(measures, seen);
}

interface Measure {
  name: string;
  /** Whose page it is. */
  of?: Customer;
  run(): Promise<void>;
}

async function pagesOf(db: Db, customer: Customer): Promise<Measure[]> {
  const deep = await cursorAt(db, customer, customer.entries - show - 1);
  const page = (listing: Partial<StatementListing>) => async () => {
    const { lines } = await listStatement(db, customer.id, { ...listing, limit: show });
    await valueLines(db, customer.id, lines);
    if (lines.length !== show) throw new Error(`${lines.length} lines instead of ${show}`);
  };
  return [
    { name: "first page", of: customer, run: page({}) },
    { name: "last page", of: customer, run: page({ after: deep }) },
    { name: "first page, one coin", of: customer, run: page({ asset: "USDT" }) },
    { name: "first page, one kind", of: customer, run: page({ kinds: ["hold"] }) },
  ];
}

/** Deposits and holds in three coins over ten years, a third of the entries on what is held. */
async function fill(db: Db, { id, entries }: Customer): Promise<void> {
  const began = performance.now();
  const perBatch = 10_000;
  const transfers = Math.ceil(entries / 1.5);
  for (let first = 0; first < transfers; first += perBatch) {
    const count = Math.min(perBatch, transfers - first);
    await postTransfers(
      db,
      Array.from({ length: count }, (_, place) => transferAt(id, first + place, transfers)),
    );
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${entries.toLocaleString("en")} entries of one customer, posted in ${seconds} s`);
}

function transferAt(customerId: string, place: number, all: number): Transfer {
  const asset = coins[Math.floor(place / 2) % 3] as Coin;
  const isHold = place % 2 === 1;
  const occurredAt = new Date(Date.UTC(2016, 0, 1) + (place / all) * 3650 * 86_400_000);
  const [from, to] = isHold
    ? (["available", "held"] as const)
    : (["custody", "available"] as const);
  return {
    kind: isHold ? "hold" : "deposit",
    key: `bench:${customerId}:${place}`,
    ownerId: customerId,
    day: occurredAt.toISOString().slice(0, 10),
    occurredAt,
    source: "bench",
    memo: "",
    legs: [
      { account: from, asset, owner: isHold ? customerId : "house", units: isHold ? -1n : -1000n },
      { account: to, asset, owner: customerId, units: isHold ? 1n : 1000n },
    ],
  };
}

/** Found by counting, which no page does. */
async function cursorAt(db: Db, { id }: Customer, offset: number): Promise<string> {
  const { rows } = await db.$client.query(
    `select transfer_number || '.' || account || '.' || asset as cursor from ledger_entries
      where owner_id = $1 and account in ('available', 'held')
      order by transfer_number desc, account, asset offset $2 limit 1`,
    [id, offset],
  );
  return rows[0].cursor;
}

async function range(db: Db, first: number): Promise<void> {
  await db.$client.query({
    name: "range",
    text: "select * from ledger_transfers where number >= $1 order by number limit $2",
    values: [first, show],
  });
}

function report(measures: Measure[], seen: Map<Measure, number[]>): void {
  console.log(
    `\n${rounds} interleaved rounds, ${show} entries a page, milliseconds as the application waits:\n`,
  );
  const part = (each: Measure, share: number) => {
    const sorted = (seen.get(each) ?? []).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  };
  const entriesOf = ({ of }: Measure) => of?.entries.toLocaleString("en") ?? "";
  printTable(
    ["", "entries", "median", "p95"],
    measures.map((each) => [
      ...[each.name, entriesOf(each)],
      ...[0.5, 0.95].map((share) => part(each, share).toFixed(1)),
    ]),
  );
  console.log();
  for (const each of measures.filter(({ of }) => of === long)) {
    const work = `${each.name} of ${entriesOf(each)} entries`;
    const figure = part(each, 0.5);
    hold({ work, figure, unit: "ms", atMost: barMs });
    const small = measures.find(({ name, of }) => name === each.name && of === short);
    const beside = `one of ${short.entries.toLocaleString("en")}`;
    if (small) hold({ work, beside, figure: figure / part(small, 0.5), atMost: growthBar });
  }
}
