import { createHash } from "node:crypto";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import pg from "pg";
import { readBitcoin } from "../server/chain/read-bitcoin.ts";
import { recordBlock } from "../server/chain/record-block.ts";
import { type Db, openDatabase } from "../server/platform/database.ts";
import { openLog } from "../server/platform/log.ts";
import { migrate } from "../server/platform/migrate.ts";
import { fullBlock } from "./load/full-block.ts";
import { startOwnPostgres } from "./load/own-postgres.ts";

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,100000,1000000" },
    rounds: { type: "string", default: "5" },
    blocks: { type: "string", default: "12" },
  },
});
const sizes = options.sizes.split(",").map(Number);
const rounds = Number(options.rounds);
const blocks = Number(options.blocks);
/** At the largest size at least so many times the rate at the smallest. */
const bar = 0.5;
/** Of a block's 6,000 outputs. */
const paidPerBlock = 20;

interface Site {
  size: number;
  db: Db;
  rates: number[];
  height: number;
  hash: string;
}

const postgres = await startOwnPostgres(["-c", "shared_buffers=512MB"]);
try {
  const sites: Site[] = [];
  for (const size of sizes) sites.push(await prepare(size));
  console.log(`fsync on, ${cpus().length} CPUs; blocks of 3,000 transactions and 6,000 outputs`);
  for (let round = 0; round < rounds; round += 1) {
    // In turn, so that whatever else the machine does falls on all of them alike.
    for (const site of sites) site.rates.push(await scan(site, round));
    process.stderr.write(`round ${round + 1} of ${rounds} done\n`);
  }
  report(sites);
  await Promise.all(sites.map(({ db }) => db.$client.end()));
} finally {
  await postgres.stop();
}

/** A database of its own with so many customers' addresses. */
async function prepare(size: number): Promise<Site> {
  const owner = new pg.Client({ connectionString: postgres.ownerUrl });
  await owner.connect();
  await owner.query(`create database chain_${size}`);
  await owner.end();
  const at = (url: string) =>
    Object.assign(new URL(url), { pathname: `/chain_${size}` }).toString();
  await migrate(at(postgres.ownerUrl));
  const client = new pg.Client({ connectionString: at(postgres.ownerUrl) });
  await client.connect();
  // Written without the triggers that each address passes when it is given out.
  await client.query("set session_replication_role = replica");
  const wallet = "00000000-0000-4000-8000-000000000001";
  await client.query(
    "insert into wallets values ($1, 'bitcoin', 'mainnet', 'wpkh(bench)', now(), $2)",
    [wallet, size],
  );
  await client.query(
    `insert into deposit_addresses select $1, n, gen_random_uuid(), 'bench-' || n, now() from generate_series(0, $2::int - 1) n`,
    [wallet, size],
  );
  await client.query(
    `insert into chain_scripts select '\\x0014'::bytea || substring(sha256(('bench-' || n)::bytea) for 20), 'bench-' || n
       from generate_series(0, $1::int - 1) n`,
    [size],
  );
  const hash = "00".repeat(32);
  await client.query("insert into chain_positions values ('bitcoin', 1, 0, $1, now(), now())", [
    hash,
  ]);
  await client.query("insert into chain_blocks values ('bitcoin', 0, $1)", [hash]);
  await client.query("vacuum analyze deposit_addresses, chain_scripts");
  await client.end();
  const db = openDatabase(at(postgres.applicationUrl), openLog("silent"));
  return { size, db, rates: [], height: 0, hash };
}

/** Blocks per second, each read, checked and recorded as the worker does. They are made before the clock runs. */
async function scan(site: Site, round: number): Promise<number> {
  const made: Array<{ bytes: Buffer; hash: string }> = [];
  let previous = site.hash;
  for (let i = 0; i < blocks; i += 1) {
    const block = fullBlock(previous, paidScripts(site.size, round * blocks + i));
    made.push(block);
    previous = block.hash;
  }
  const started = performance.now();
  for (const { bytes, hash } of made) {
    const before = { height: site.height, hash: site.hash, bits: null };
    const reader = readBitcoin({ readBlock: async () => bytes } as never, "regtest");
    const checked = await reader.readBlock(hash, before);
    if (!(await recordBlock(site.db, "bitcoin", checked, before, new Date()))) {
      throw new Error("not recorded");
    }
    site.height += 1;
    site.hash = hash;
  }
  const seconds = (performance.now() - started) / 1000;
  const { rows } = await site.db.$client.query("select count(*)::int as found from chain_payments");
  const paid = Math.min(paidPerBlock, site.size) * site.height;
  if (rows[0].found !== paid) throw new Error(`${rows[0].found} payments found, of ${paid}`);
  return blocks / seconds;
}

/** Scripts of customers, spread over all of them. */
function paidScripts(size: number, nth: number): Buffer[] {
  return Array.from({ length: Math.min(paidPerBlock, size) }, (_, i) => {
    const place = (nth * 7919 + i * Math.floor(size / paidPerBlock)) % size;
    const hash = createHash("sha256").update(`bench-${place}`).digest();
    return Buffer.concat([Buffer.from("0014", "hex"), hash.subarray(0, 20)]);
  });
}

function report(sites: Site[]): void {
  const [first] = sites;
  if (!first) return;
  const least = median(first.rates);
  console.log("\naddresses     blocks/s   ms/block   x the rate at the fewest");
  for (const { size, rates } of sites) {
    const rate = median(rates);
    const cells = [
      size.toLocaleString("en-US").padStart(9),
      rate.toFixed(1).padStart(12),
      (1000 / rate).toFixed(1).padStart(10),
      (rate / least).toFixed(2).padStart(12),
    ];
    console.log(cells.join(" "));
  }
  const ratio = median(sites.at(-1)?.rates ?? []) / least;
  if (ratio < bar) {
    console.log(`missed: ${ratio.toFixed(2)} x, the bar is ${bar} x`);
    process.exitCode = 1;
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
