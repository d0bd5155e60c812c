import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type Coin, coins } from "../core/asset.ts";
import { listStatement, type StatementListing } from "../server/ledger/list-statement.ts";
import { postTransfers } from "../server/ledger/post-transfers.ts";
import type { Transfer } from "../server/ledger/transfer.ts";
import type { Db } from "../server/platform/database.ts";
import { valueLines } from "../server/statements/value-lines.ts";
import { benchOn, startOwnPostgres, withoutDocuments } from "./load/own-postgres.ts";

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
const customerId = "00000000-0000-4000-8000-000000000001";

const postgres = await startOwnPostgres();
await benchOn(postgres, bench);

async function bench(db: Db): Promise<void> {
  const { rows } = await db.$client.query("select version()");
  console.log(`${rows[0].version}, ${cpus().length} CPUs`);
  // What is read is measured, so that nothing has to stand behind it.
  await withoutDocuments(postgres.ownerUrl);
  await fill(db);
  const deep = await cursorAt(db, entries - show - 1);
  const page = (listing: Partial<StatementListing>) => async () => {
    const { lines } = await listStatement(db, customerId, { ...listing, limit: show });
    await valueLines(db, customerId, lines);
    if (lines.length !== show) throw new Error(`${lines.length} lines instead of ${show}`);
  };
  const at = Math.floor(entries / 2);
  const measures: Array<{ name: string; isPage: boolean; run(): Promise<void> }> = [
    { name: `primary-key range, ${show} transfers`, isPage: false, run: () => range(db, at) },
    { name: "first page", isPage: true, run: page({}) },
    {
      name: `page ${Math.ceil(entries / show).toLocaleString("en")}`,
      isPage: true,
      run: page({ after: deep }),
    },
    { name: "first page, one coin", isPage: true, run: page({ asset: "USDT" }) },
    { name: "first page, one kind", isPage: true, run: page({ kinds: ["hold"] }) },
  ];
  const seen = new Map<string, number[]>(measures.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, run } of measures) {
      const began = performance.now();
      await run();
      seen.get(name)?.push(performance.now() - began);
    }
  }
  report(measures, seen);
}

/** Deposits and holds in three coins over ten years, a third of the entries on what is held. */
async function fill(db: Db): Promise<void> {
  const began = performance.now();
  const perBatch = 10_000;
  const transfers = Math.ceil(entries / 1.5);
  for (let first = 0; first < transfers; first += perBatch) {
    const count = Math.min(perBatch, transfers - first);
    await postTransfers(
      db,
      Array.from({ length: count }, (_, place) => transferAt(first + place, transfers)),
    );
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${entries.toLocaleString("en")} entries of one customer, posted in ${seconds} s`);
}

function transferAt(place: number, all: number): Transfer {
  const asset = coins[Math.floor(place / 2) % 3] as Coin;
  const isHold = place % 2 === 1;
  const occurredAt = new Date(Date.UTC(2016, 0, 1) + (place / all) * 3650 * 86_400_000);
  const [from, to] = isHold
    ? (["available", "held"] as const)
    : (["custody", "available"] as const);
  return {
    ...{ kind: isHold ? "hold" : "deposit", key: `bench:${place}`, ownerId: customerId },
    ...{ day: occurredAt.toISOString().slice(0, 10), occurredAt, source: "bench", memo: "" },
    legs: [
      { account: from, asset, owner: isHold ? customerId : "house", units: isHold ? -1n : -1000n },
      { account: to, asset, owner: customerId, units: isHold ? 1n : 1000n },
    ],
  };
}

/** Found by counting, which no page does. */
async function cursorAt(db: Db, offset: number): Promise<string> {
  const { rows } = await db.$client.query(
    `select transfer_number || '.' || account || '.' || asset as cursor from ledger_entries
      where owner_id = $1 and account in ('available', 'held')
      order by transfer_number desc, account, asset offset $2 limit 1`,
    [customerId, offset],
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

function report(measures: Array<{ name: string; isPage: boolean }>, seen: Map<string, number[]>) {
  console.log(
    `\n${rounds} interleaved rounds, ${show} entries a page, milliseconds as the application waits:\n`,
  );
  const width = Math.max(...measures.map(({ name }) => name.length));
  const median = (name: string, part = 0.5) => {
    const sorted = (seen.get(name) ?? []).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length * part)] ?? 0;
  };
  const base = median(measures[0]?.name ?? "");
  for (const { name, isPage } of measures) {
    const [middle, slow] = [median(name), median(name, 0.95)];
    const times = `median ${middle.toFixed(1).padStart(6)}   p95 ${slow.toFixed(1).padStart(6)}`;
    if (!isPage) {
      console.log(`${name.padEnd(width)}  ${times}`);
      continue;
    }
    if (middle > barMs) process.exitCode = 1;
    const verdict = middle > barMs ? "MISSED" : "met";
    console.log(
      `${name.padEnd(width)}  ${times}   ${(middle / base).toFixed(1)} x   (bar ${barMs} ms: ${verdict})`,
    );
  }
}
