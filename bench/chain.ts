import { createHash } from "node:crypto";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import pg from "pg";
import type { BlockSource } from "../server/chain/bitcoin/block-source.ts";
import { readBitcoin } from "../server/chain/bitcoin/read-bitcoin.ts";
import type { ChainReader } from "../server/chain/chain-reader.ts";
import { readEthereum } from "../server/chain/ethereum/read-ethereum.ts";
import { recordBlock } from "../server/chain/record-block.ts";
import { type Db, openDatabase } from "../server/platform/database.ts";
import { openLog } from "../server/platform/log/log.ts";
import { fullBlock } from "./load/full-block.ts";
import { benchToken, fullEthereumBlock } from "./load/full-ethereum-block.ts";
import { insertCustomers } from "./load/insert-customers.ts";
import { median } from "./load/median.ts";
import { createDatabase, startOwnPostgres } from "./load/own-postgres.ts";
import { stopTriggers } from "./load/stop-triggers.ts";
import { hold, printTable } from "./load/table.ts";

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
/** Of all that a block pays. */
const paidPerBlock = 20;

type Chain = "bitcoin" | "ethereum";

interface Site {
  chain: Chain;
  size: number;
  db: Db;
  rates: number[];
  height: number;
  hash: string;
}

const contents: Record<Chain, string> = {
  bitcoin: "Bitcoin: blocks of 3,000 transactions and 6,000 outputs",
  ethereum:
    "Ethereum: blocks of 250 transactions, 2,000 calls that move ether and 100 transfers of USDT",
};

const postgres = await startOwnPostgres(["-c", "shared_buffers=512MB"]);
try {
  for (const chain of ["bitcoin", "ethereum"] as const) await measure(chain);
} finally {
  await postgres.stop();
}

async function measure(chain: Chain): Promise<void> {
  const sites: Site[] = [];
  for (const size of sizes) sites.push(await prepare(chain, size));
  console.log(`\n${contents[chain]}; fsync on, ${cpus().length} CPUs`);
  for (let round = 0; round < rounds; round += 1) {
    // In turn, so that whatever else the machine does falls on all of them alike.
    for (const site of sites) site.rates.push(await scan(site, round));
    process.stderr.write(`round ${round + 1} of ${rounds} done\n`);
  }
  report(sites);
  await Promise.all(sites.map(({ db }) => db.$client.end()));
}

/** A database of its own with so many customers' addresses. */
async function prepare(chain: Chain, size: number): Promise<Site> {
  const { ownerUrl, applicationUrl } = await createDatabase(postgres, `${chain}_${size}`);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  // Written without the triggers that each address passes when it is given out.
  const startTriggers = await stopTriggers(client, [
    ...["users", "customers", "wallets", "deposit_addresses"],
  ]);
  await insertCustomers(client, size, new Date());
  const wallet = "00000000-0000-4000-8000-000000000001";
  await client.query("insert into wallets values ($1, $3, 'mainnet', 'bench', now(), $2)", [
    wallet,
    size,
    chain,
  ]);
  await client.query(
    `insert into wallet_addresses (address, wallet_id, branch, derivation_index, purpose, written_at)
     select 'bench-' || n, $1, 2, n, 'customers', now() from generate_series(0, $2::int - 1) n`,
    [wallet, size],
  );
  await client.query(
    `insert into deposit_addresses (wallet_id, branch, derivation_index, customer_id, address, issued_at)
     select $1, 2, n, lpad(to_hex(n + 1), 32, '0')::uuid, 'bench-' || n, now() from generate_series(0, $2::int - 1) n`,
    [wallet, size],
  );
  await client.query(
    `insert into chain_scripts select $2::bytea || substring(sha256(('bench-' || n)::bytea) for 20), 'bench-' || n
       from generate_series(0, $1::int - 1) n`,
    [size, Buffer.from(chain === "bitcoin" ? "0014" : "", "hex")],
  );
  const hash = (chain === "bitcoin" ? "" : "0x") + "00".repeat(32);
  await client.query("insert into chain_positions values ($2, 1, 0, $1, now(), now())", [
    ...[hash, chain],
  ]);
  await client.query("insert into chain_blocks values ($2, 0, $1)", [hash, chain]);
  await startTriggers();
  await client.query("vacuum analyze wallet_addresses, deposit_addresses, chain_scripts");
  await client.end();
  const db = openDatabase(applicationUrl, openLog("silent"));
  return { chain, size, db, rates: [], height: 0, hash };
}

/** Blocks per second, each read, checked and recorded as the worker does. They are made before the clock runs. */
async function scan(site: Site, round: number): Promise<number> {
  const { chain } = site;
  const made: Array<{ hash: string; reader: ChainReader }> = [];
  let previous = site.hash;
  for (let i = 0; i < blocks; i += 1) {
    const paid = paidHashes(site.size, round * blocks + i);
    const block = makeBlock(chain, previous, site.height + i + 1, paid);
    made.push(block);
    previous = block.hash;
  }
  const started = performance.now();
  for (const { hash, reader } of made) {
    const before = { height: site.height, hash: site.hash, bits: null };
    const block = await reader.readBlock(hash, before);
    if (!(await recordBlock(site.db, chain, block, before, new Date()))) {
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

function makeBlock(chain: Chain, previous: string, height: number, paid: Buffer[]) {
  if (chain === "ethereum") {
    const addresses = paid.map((hash) => `0x${hash.toString("hex")}`);
    const { hash, node } = fullEthereumBlock(previous, height, addresses);
    const told = {
      url: "",
      chainIds: [1],
      usdtContract: benchToken,
      traces: true,
      ownAddresses: [],
    };
    return { hash, reader: readEthereum(node, told) };
  }
  const scripts = paid.map((hash) => Buffer.concat([Buffer.from("0014", "hex"), hash]));
  const { bytes, hash } = fullBlock(previous, scripts);
  const source: Partial<BlockSource> = { readBlock: async () => bytes };
  return { hash, reader: readBitcoin(source as BlockSource, "regtest") };
}

/** What addresses of customers are made of, spread over all of them. */
function paidHashes(size: number, nth: number): Buffer[] {
  return Array.from({ length: Math.min(paidPerBlock, size) }, (_, i) => {
    const place = (nth * 7919 + i * Math.floor(size / paidPerBlock)) % size;
    return createHash("sha256").update(`bench-${place}`).digest().subarray(0, 20);
  });
}

function report(sites: Site[]): void {
  const [fewest, most] = [sites[0], sites.at(-1)];
  if (!fewest || !most) return;
  const rows = sites.map(({ size, rates }) => [
    size.toLocaleString("en"),
    median(rates).toFixed(1),
    (1000 / median(rates)).toFixed(1),
  ]);
  console.log();
  printTable(["addresses", "blocks a second", "ms a block"], rows);
  console.log();
  const figure = median(most.rates) / median(fewest.rates);
  const work = `blocks of ${most.chain} a second, ${most.size.toLocaleString("en")} addresses`;
  hold({ work, beside: `${fewest.size.toLocaleString("en")} addresses`, figure, atLeast: bar });
}
