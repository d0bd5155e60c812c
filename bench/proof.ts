import { cpus } from "node:os";
import { parseArgs } from "node:util";
import pg from "pg";
import { recomputeOwed } from "#core/proof/recompute-owed.ts";
import { openDatabase } from "#server/platform/database.ts";
import { openLog } from "#server/platform/log/log.ts";
import { findOwedProof } from "#server/proof/find-owed-proof.ts";
import { publishProofDays } from "#server/proof/publish-days.ts";
import { insertCustomers } from "./load/insert-customers.ts";
import { benchCustomer } from "./load/ledger-load.ts";
import { median } from "./load/median.ts";
import { createDatabase, startOwnPostgres } from "./load/own-postgres.ts";
import { stopTriggers } from "./load/stop-triggers.ts";
import { hold, printTable } from "./load/table.ts";

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "10000,100000,1000000" },
    rounds: { type: "string", default: "3" },
  },
});
const sizes = options.sizes.split(",").map(Number);
const rounds = Number(options.rounds);
/** What a slow telephone takes of the time of this machine. */
const slowDown = 4;

/** The same rows written into tables with their keys alone, with a hash of as many bytes for each node. */
const bareCopy = `
  begin;
  create table bare_leaves (like proof_leaves, primary key (customer_id, day));
  create table bare_nodes (like proof_nodes, primary key (day, height, place));
  insert into bare_leaves select * from proof_leaves;
  insert into bare_nodes
  select day, height, place, sha256(hash || convert_to(repeat('1', 140), 'UTF8')), btc, eth, usdt from proof_nodes order by height, place;
  commit`;

const postgres = await startOwnPostgres(["-c", "shared_buffers=512MB"]);
const rows: string[][] = [];
try {
  console.log(`fsync on, ${cpus().length} CPUs`);
  for (const size of sizes) await measure(size);
} finally {
  await postgres.stop();
}
printTable(["customers", "tree, s", "bare copy, s", "path, bytes", "check, ms"], rows);

async function measure(size: number): Promise<void> {
  const { ownerUrl, applicationUrl } = await createDatabase(postgres, `proof_${size}`);
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  // Where something failed, PostgreSQL stops before the connection ends.
  owner.on("error", () => {});
  await insertCustomers(owner, size, new Date("2026-01-01T00:00:00Z"));
  const startTriggers = await stopTriggers(owner, ["ledger_accounts", "proof_days"]);
  // Everybody has bitcoin, a third USDT too, and a tenth something held.
  await owner.query(
    `insert into ledger_accounts (owner_id, account, asset, balance, entry_count)
     select lpad(to_hex(n), 32, '0')::uuid, account, asset, 1 + n * 7919::bigint % 100000000, 1 from generate_series(1, $1::int) n
       join (values (1, 'available', 'BTC'), (3, 'available', 'USDT'), (10, 'held', 'BTC')) each (nth, account, asset) on n % nth = 0`,
    [size],
  );
  await owner.query("vacuum analyze");
  const db = openDatabase(applicationUrl, openLog("silent"));
  const [trees, bare]: number[][] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    await owner.query("delete from proof_days; truncate proof_nodes, proof_leaves");
    trees?.push(await seconds(() => publishProofDays(db)));
    bare?.push(await seconds(() => owner.query(bareCopy)));
    await owner.query("drop table bare_nodes, bare_leaves");
  }
  await startTriggers();
  await owner.query("vacuum analyze proof_nodes, proof_leaves");
  const found = await findOwedProof(db, benchCustomer(size / 2));
  if (!found?.proof) throw new Error("the customer has a leaf");
  const { proof, shown, day } = found;
  const checks: number[] = [];
  for (let n = 0; n < 100; n += 1)
    checks.push(await seconds(() => recomputeOwed(proof, shown, day.digest)));
  await db.$client.end();
  await owner.end();
  const tree = median(trees ?? []);
  const reference = median(bare ?? []);
  const bytes = JSON.stringify(proof.path).length;
  const check = median(checks) * 1000;
  rows.push([
    size.toLocaleString("en-US"),
    ...[tree, reference].map((each) => each.toFixed(2)),
    String(bytes),
    check.toFixed(2),
  ]);
  const of = `${size.toLocaleString("en-US")} customers`;
  hold({
    work: `the tree of ${of}, taken, grown and written`,
    beside: "a bare copy of its rows with as many hashes",
    figure: tree / reference,
    atMost: 4,
  });
  hold({ work: `a path through ${of}`, figure: bytes / 1000, unit: "kB", atMost: 4 });
  hold({
    work: `its check at ${slowDown} times slow-down`,
    figure: check * slowDown,
    unit: "ms",
    atMost: 50,
  });
}

async function seconds(act: () => unknown): Promise<number> {
  const started = performance.now();
  await act();
  return (performance.now() - started) / 1000;
}
