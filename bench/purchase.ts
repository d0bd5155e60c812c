import { cpus } from "node:os";
import { parseArgs } from "node:util";
import pg from "pg";
import { openDatabase } from "../server/platform/database.ts";
import { openLog } from "../server/platform/log/log.ts";
import { median } from "./load/median.ts";
import { createDatabase, startOwnPostgres } from "./load/own-postgres.ts";
import {
  buyFor,
  fillPurchaseSite,
  type PurchaseSite,
  quoteFor,
  readHome,
  readKey,
  readPlans,
  writeFor,
} from "./load/purchase-load.ts";
import { hold } from "./load/table.ts";

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "10000,100000,1000000" },
    rounds: { type: "string", default: "9" },
    seconds: { type: "string", default: "2" },
  },
});
const sizes = options.sizes.split(",").map(Number);
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
/** How much more the most contracts may cost than the fewest. */
const bar = 1.2;

const rates = {
  "one row written and committed, for comparison": writeFor,
  quotes: quoteFor,
  "quotes with their purchase": buyFor,
} satisfies Record<string, (site: PurchaseSite, seconds: number) => Promise<number>>;
const reads = {
  "one row by its key, for comparison": readKey,
  "/plans, stale": readPlans,
  "/, stale": readHome,
} satisfies Record<string, (site: PurchaseSite) => Promise<number>>;

const postgres = await startOwnPostgres(["-c", "shared_buffers=1GB", "-c", "max_wal_size=8GB"]);
try {
  const sites: PurchaseSite[] = [];
  for (const contracts of sizes) sites.push(await openSite(contracts));
  console.log(`${cpus().length} CPUs, fsync on, ${rounds} rounds in turn, 8 clients`);
  // What is read or asked for the first time in a connection is planned.
  for (const site of sites) {
    await quoteFor(site, 0.5);
    for (const read of Object.values(reads)) await read(site);
  }
  for (const [what, measure] of Object.entries(rates)) {
    const values = await inTurn(sites, (site) => measure(site, seconds));
    judge(`${what}, a second`, values, (few, many) => few / many);
  }
  for (const [what, measure] of Object.entries(reads)) {
    const values = await inTurn(sites, async (site) => {
      const each: number[] = [];
      for (let nth = 0; nth < 50; nth += 1) each.push(await measure(site));
      return median(each);
    });
    judge(`${what}, ms`, values, (few, many) => many / few);
  }
  for (const { db, owner } of sites) {
    await db.$client.end();
    await owner.end();
  }
} finally {
  await postgres.stop();
}

/** Round after round, there and back, so that whatever else the machine does falls on all of them alike. */
async function inTurn(
  sites: PurchaseSite[],
  measure: (site: PurchaseSite) => Promise<number>,
): Promise<number[]> {
  const measured = new Map<PurchaseSite, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const site of round % 2 === 0 ? sites : sites.toReversed()) {
      measured.set(site, [...(measured.get(site) ?? []), await measure(site)]);
    }
  }
  return sites.map((site) => median(measured.get(site) ?? []));
}

function judge(what: string, values: number[], cost: (few: number, many: number) => number): void {
  const figures = values.map(
    (value, nth) => `${value.toFixed(1)} at ${sizes[nth]?.toLocaleString("en")}`,
  );
  console.log(`${what}: ${figures.join(", ")}`);
  const figure = cost(values[0] ?? Number.NaN, values.at(-1) ?? Number.NaN);
  const [fewest, most] = [sizes[0], sizes.at(-1)].map((size) => size?.toLocaleString("en"));
  if (what.includes("for comparison")) console.log(`${figure.toFixed(2)} x`);
  else {
    const work = `${what.replace(/, [a-z ]+$/, "")}, cost at ${most} contracts`;
    hold({ work, beside: `at ${fewest}`, figure, atMost: bar });
  }
}

async function openSite(contracts: number): Promise<PurchaseSite> {
  const { ownerUrl, applicationUrl } = await createDatabase(postgres, `purchase_${contracts}`);
  const db = openDatabase(applicationUrl, openLog("silent"));
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 2 });
  owner.on("error", () => {});
  const started = performance.now();
  const site = await fillPurchaseSite(db, owner, contracts);
  const took = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `${contracts.toLocaleString("en")} running contracts and as many ended, filled in ${took} s`,
  );
  return site;
}
