import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { type OwedProof, recomputeOwed } from "#core/proof/recompute-owed.ts";
import { type SumNode, sumLeaf, sumNode } from "#core/proof/sum-tree.ts";
import { addDays, formatDay, utcDay } from "#core/utc-day.ts";
import { giveBackContract } from "#server/contracts/give-back-contract.ts";
import { verifyClaims } from "#server/ledger/verify/verify-claims.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { dayAfter } from "#tests/factories/mining.ts";
import { createMiningSite, houseUnits } from "#tests/factories/mining-site.ts";
import { startWorker } from "#tests/faults/start-worker.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { proofClaims } from "./claims.ts";
import { type FoundOwed, findOwedProof } from "./find-owed-proof.ts";
import { findOwedDay, listProofDays } from "./list-days.ts";
import { listUnserved } from "./list-unserved.ts";
import { publishProofDays } from "./publish-days.ts";

const { db, owner } = await testDatabase();
const today = utcDay(new Date());
const first = addDays(today, -20);
const site = await createMiningSite(db, { firstDay: first, termDays: 4 });
const customers: string[] = [];
for (const [place, units] of [700n, 901n, 1n, 40n].entries()) {
  const { id } = await site.customer({ quantity: 1 + place, units });
  await creditTestDeposit(db, id, 10_000n * units);
  customers.push(id);
}
const [ada = "", ben = "", cleo = ""] = customers;
await site.again(ada, { coin: "ETH", units: 3n * 10n ** 18n });
const { id: dan } = await createTestCustomer(db, { email: "dan@example.com" });
await creditTestDeposit(db, dan, 5_000_000n, { asset: "USDT" });
const { id: eve } = await createTestCustomer(db, { email: "eve@example.com" });
await site.run(first, 1_003n, 12_000n);
await publishProofDays(db);
const published = await findOwedDay(db);
if (!published) throw new Error("it is published");

/** As a browser gets it. */
async function found(customerId: string): Promise<FoundOwed & { proof: OwedProof }> {
  const owed = await findOwedProof(db, customerId);
  if (!owed?.proof) throw new Error("there is a leaf");
  return structuredClone({ ...owed, proof: owed.proof });
}
const wrongSteps = ({ proof, shown }: Awaited<ReturnType<typeof found>>) =>
  recomputeOwed(proof, shown, published.digest).flatMap(({ agrees, name }) =>
    agrees ? [] : [name],
  );

test("everybody's place leads to the published digest, and the sums are all that is owed", async () => {
  for (const id of [...customers, dan]) expect(wrongSteps(await found(id))).toEqual([]);
  const custody = async (coin: string) => {
    const { rows } = await owner.query(
      "select coalesce(sum(balance), 0) as sum from ledger_accounts where asset = $1",
      [coin],
    );
    const house = ["contract_prepaid", "pool_receivable", "rounding"];
    const units = await Promise.all(house.map((account) => houseUnits(owner, account, coin)));
    return units.reduce((sum, each) => sum + each, BigInt(rows[0].sum)).toString();
  };
  expect([published.owedBtc, published.owedEth, published.owedUsdt]).toEqual(
    await Promise.all(["BTC", "ETH", "USDT"].map(custody)),
  );
  // Five customers, and what no customer got yet.
  expect(published).toMatchObject({ day: addDays(today, -1), leaves: "6" });
  expect((await found(ada)).proof.leaf).toMatchObject({
    prepaid: { BTC: "525", ETH: String((3n * 10n ** 18n * 3n) / 4n), USDT: "0" },
  });
  // Nothing was ever posted for Eve.
  expect(await findOwedProof(db, eve)).toMatchObject({ proof: null, wasThere: false });
});

test("what happens afterwards is reckoned with", async () => {
  await creditTestDeposit(db, cleo, 77n);
  await site.again(cleo, { units: 50n, now: new Date() });
  const later = await site.again(dan, { units: 60n, now: new Date(), coolingOff: true });
  await giveBackContract(db, { customerId: dan, contractId: later.contractId }, new Date());
  await site.run(dayAfter(first, 1), 2_000n, 9_000n);
  const cleos = await found(cleo);
  expect(cleos.shown.moved.BTC).not.toBe("0");
  expect(cleos.shown.bought.BTC).toBe("50");
  for (const id of [...customers, dan]) expect(wrongSteps(await found(id))).toEqual([]);
});

test("a customer who came later has no place, and needs none; one who was left out is told", async () => {
  const { id } = await createTestCustomer(db, { email: "late@example.com" });
  await creditTestDeposit(db, id, 5n);
  expect(await findOwedProof(db, id)).toMatchObject({ proof: null, wasThere: false });
  const before = new Date(published.publishedAt.getTime() - 3_600_000);
  const client = await owner.connect();
  try {
    await client.query("begin");
    await client.query("delete from proof_leaves where customer_id = $1", [ada]);
    await client.query("set local session_replication_role = replica");
    await client.query("alter table ledger_transfers disable trigger user");
    await client.query("update ledger_transfers set created_at = $1 where owner_id = $2", [
      before,
      ada,
    ]);
    const { drizzle } = await import("drizzle-orm/node-postgres");
    const inside = drizzle({ client }) as never;
    expect(await findOwedProof(inside, ada)).toMatchObject({ proof: null, wasThere: true });
  } finally {
    await client.query("rollback");
    client.release();
  }
});

const root = "Root of the tree";
const owedToAll = "Owed to all";
const digest = `Hash of ${formatDay(published.day)}`;
const has = "BTC that you have";
const unserved = "BTC paid for contracts and not served, at least what is left now";
const whose = "Whose entry it is";

test.each<[string, string[], (proof: OwedProof) => void | Promise<void>]>([
  [
    "a balance lowered",
    [has, owedToAll, root, digest],
    ({ leaf }) => {
      leaf.balance.BTC = String(BigInt(leaf.balance.BTC) - 1n);
    },
  ],
  [
    "a prepaid contract hidden",
    [unserved, owedToAll, root, digest],
    ({ leaf }) => {
      leaf.prepaid.BTC = "0";
    },
  ],
  [
    "another's place",
    [whose],
    async (proof) => {
      const theirs = (await found(ben)).proof;
      const { balance, prepaid } = proof.leaf;
      proof.leaf = { ...theirs.leaf, balance, prepaid };
      proof.path = theirs.path;
    },
  ],
  [
    "another's path",
    [],
    async (proof) => {
      proof.path = (await found(ben)).proof.path;
    },
  ],
  [
    "an old leaf",
    [root, digest],
    ({ leaf }) => {
      leaf.day = addDays(leaf.day, -1);
    },
  ],
  [
    "what is owed to a neighbour changed",
    [owedToAll, root, digest],
    ({ path }) => {
      const [sibling] = path;
      if (sibling) sibling.USDT = String(BigInt(sibling.USDT) + 1n);
    },
  ],
  [
    "sums swapped between two coins",
    [owedToAll, root, digest],
    ({ path }) => {
      const last = path.at(-1);
      if (last) [last.BTC, last.USDT] = [last.USDT, last.BTC];
    },
  ],
  [
    "the sides swapped",
    [root, digest],
    ({ path }) => {
      const [sibling] = path;
      if (sibling) sibling.side = sibling.side === "left" ? "right" : "left";
    },
  ],
  [
    "another root on this page",
    [owedToAll, root],
    ({ day }) => {
      Object.assign(day, { root: "ab".repeat(32), owedBtc: "1" });
    },
  ],
  [
    "another day's figures",
    [digest],
    ({ day }) => {
      day.sealNumber = "77";
    },
  ],
])("a customer sees %s", async (_, steps, tamper) => {
  const mine = await found(ada);
  await tamper(mine.proof);
  expect(wrongSteps(mine)).toEqual(expect.arrayContaining(steps));
  expect(wrongSteps(mine)).not.toEqual([]);
});

test.each(["-1", "1e3", "0x10", " 5", "05", "1.5", ""])("no place holds %j", async (amount) => {
  const mine = await found(ada);
  const [sibling] = mine.proof.path;
  if (sibling) sibling.BTC = amount;
  expect(() => wrongSteps(mine)).toThrow();
});

test("PostgreSQL grows the same tree as the code that checks it, of any size", async () => {
  for (const count of [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33]) {
    const day = addDays("2020-01-01", count);
    const { rows } = await owner.query(
      `with leaves as (
         insert into proof_nodes select $1, 0, place, sha256(place::text::bytea), place, place * 10::numeric ^ 30, 7
           from generate_series(0, $2::int - 1) place returning *)
       select encode(hash, 'hex') as hash, btc::text as "BTC", eth::text as "ETH", usdt::text as "USDT" from leaves order by place`,
      [day, count],
    );
    const grown = await owner.query(
      `select encode(hash, 'hex') as hash, btc::text as "BTC", eth::text as "ETH", usdt::text as "USDT" from proof_grow($1)`,
      [day],
    );
    expect(grown.rows[0]).toEqual(treeOver(rows));
  }
});

function treeOver(nodes: SumNode[]): SumNode | undefined {
  if (nodes.length <= 1) return nodes[0];
  const above: SumNode[] = [];
  for (let place = 0; place < nodes.length; place += 2) {
    const [left, right] = nodes.slice(place, place + 2);
    if (left) above.push(right ? sumNode(left, right) : left);
  }
  return treeOver(above);
}

async function inside(changes: string[], look: (client: Db) => Promise<unknown>) {
  const client = await owner.connect();
  try {
    await client.query("begin");
    await client.query("set local session_replication_role = replica");
    for (const table of ["proof_days", "contracts", "mining_runs"])
      await client.query(`alter table ${table} disable trigger user`);
    for (const change of changes) await client.query(change);
    const { drizzle } = await import("drizzle-orm/node-postgres");
    const within = drizzle({ client });
    return await look({
      execute: (query: never) => within.execute(query),
      transaction: (act: (tx: unknown) => unknown) => act(within),
    } as never);
  } finally {
    await client.query("rollback");
    client.release();
  }
}
type Db = typeof db;
const again = ["delete from proof_days", "delete from proof_nodes", "delete from proof_leaves"];

test.each([
  [
    "a contract that is hidden",
    "delete from contracts where units = 901",
    /BTC \d+ of contracts, \d+ in the ledger/,
  ],
  [
    "a price that was lowered",
    "update contracts set units = units - 4 where units = 901",
    /BTC \d+ of contracts, \d+ in the ledger/,
  ],
])("nothing is published over %s", async (_, change, words) => {
  await inside([...again, change], async (client) => {
    await expect(publishProofDays(client)).rejects.toMatchObject({
      cause: {
        constraint: "contracts_shares_are_what_is_prepaid",
        message: expect.stringMatching(words),
      },
    });
  });
});

test("nothing is published while a day is being posted", async () => {
  const posting = `update mining_runs set state = 'posting', posted_at = null, operator_share_sats = null, remainder_sats = null,
    fees_due_sats = null, fees_paid_sats = null, inactivity_sats = null, earned_btc_units = null, earned_eth_units = null,
    earned_usdt_units = null where day = (select max(day) from mining_runs)`;
  await inside([...again, posting], async (client) => {
    await publishProofDays(client);
    expect(await listProofDays(client)).toEqual([]);
  });
});

test("a worker that is killed (SIGKILL) while it publishes leaves nothing, and the next ones publish one root", async () => {
  const { db, owner, applicationUrl } = await testDatabase();
  const start = () => startWorker({ applicationUrl }, "proof/publish-days");
  // Before the first leaf is written, and when all is there but the day's line.
  for (const hold of ["lock table proof_leaves in share mode", "select lock_fact('proof days')"]) {
    const holder = await owner.connect();
    await holder.query(`begin; ${hold}`);
    const { rows } = await holder.query("select pg_backend_pid() as pid");
    const waits = async () =>
      (
        await owner.query(
          "select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))",
          [rows[0].pid],
        )
      ).rows;
    const worker = start();
    await expect.poll(waits, { interval: 10 }).toHaveLength(1);
    const [waiting] = await waits();
    // Others do not wait for it, and do nothing meanwhile.
    await publishProofDays(db);
    await worker.kill();
    await holder.query("rollback");
    holder.release();
    // Its statement may outlive it, for as long as PostgreSQL does not know.
    const lives = async () =>
      (await owner.query("select from pg_stat_activity where pid = $1", [waiting.pid])).rowCount;
    await expect.poll(lives, { interval: 10 }).toBe(0);
    expect(await listProofDays(db)).toEqual([]);
  }
  const workers = [start(), start()];
  const published = () => listProofDays(db);
  await expect.poll(published, { interval: 10 }).toHaveLength(1);
  await publishProofDays(db);
  await Promise.all(workers.map((worker) => worker.kill()));
  expect(await published()).toHaveLength(1);
  const trees = await owner.query(
    "select count(*)::int as leaves from proof_nodes where height = 0",
  );
  expect(trees.rows).toEqual([{ leaves: 1 }]);
});

test.each([
  ["a leaf that says less", "update proof_leaves set btc_balance = 0 where btc_balance > 0"],
  ["a node with another sum", "update proof_nodes set btc = btc + 1 where height = 1"],
  ["a node that is gone", "delete from proof_nodes where height = 1 and place = 0"],
  ["a leaf's node that is gone", "delete from proof_nodes where height = 0 and place = 5"],
  ["another root", "update proof_days set root = sha256('x')"],
  ["other sums of a day", "update proof_days set owed_btc = owed_btc - 1"],
])("the verification finds %s", async (_, change) => {
  await inside([change], async (client) => {
    const checks = await verifyClaims(client, proofClaims);
    expect(checks.filter(({ holds }) => !holds)).not.toEqual([]);
  });
});

test("nothing is wrong with the tree as it was grown, also when a customer is erased from it", async () => {
  await inside([`delete from proof_leaves where customer_id = '${ada}'`], async (client) => {
    const checks = await verifyClaims(client, proofClaims);
    expect(checks.filter(({ holds }) => !holds)).toEqual([]);
  });
});

test("the owner of the tables is refused a root of no tree", async () => {
  const next = addDays(published.day, 1);
  expect(next).toBe(today);
  const copy = `insert into proof_days select (jsonb_populate_record(d, jsonb_build_object(
    'day', d.day + 1, 'previous_digest', d.digest, 'root', sha256('x'), 'owed_btc', 5))).* from proof_days d`;
  const refused = await owner.query(copy).catch((error) => error.constraint);
  expect(["digests_are_of_days_that_are_over", "roots_are_of_a_tree_that_is_here"]).toContain(
    refused,
  );
});

test("the contracts of a customer come to what the account says is prepaid", async () => {
  for (const id of [...customers, dan]) {
    const { prepaid } = (await found(id)).shown;
    const sums: Record<string, bigint> = { BTC: 0n, ETH: 0n, USDT: 0n };
    for (const { coin, units } of await listUnserved(db, id))
      sums[coin] = (sums[coin] ?? 0n) + units;
    expect(sums).toEqual(
      Object.fromEntries(Object.entries(prepaid).map(([coin, units]) => [coin, BigInt(units)])),
    );
  }
  expect((await listUnserved(db, ada)).map(({ coin }) => coin)).toEqual(["BTC", "ETH"]);
});

test("a leaf is found by nobody who tries balances", async () => {
  const { leaf } = (await found(dan)).proof;
  const guess = sumLeaf({ ...leaf, nonce: randomUUID() });
  expect(guess.hash).not.toBe(sumLeaf(leaf).hash);
  expect(leaf.nonce).toMatch(/^[0-9a-f-]{36}$/);
});

const { hold, fail } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, "../../docs/owed-vectors.json"), "utf8"),
);

test("the vectors of the document hold, or do not, as it says", () => {
  const agrees = (proof: OwedProof) => {
    const { balance, prepaid, customerId } = proof.leaf;
    const none = { BTC: "0", ETH: "0", USDT: "0" };
    const shown = { customerId, balance, prepaid, moved: none, bought: none };
    return recomputeOwed(proof, shown, proof.day.digest).every((step) => step.agrees);
  };
  expect(hold.map(agrees)).toEqual([true, true, true, true]);
  for (const { what, proof } of fail) {
    let verdict: unknown = what;
    try {
      verdict = agrees(proof);
    } catch {
      verdict = false;
    }
    expect([what, verdict]).toEqual([what, false]);
  }
});

const script = path.resolve(import.meta.dirname, "../../public/check-owed.py");
const folder = mkdtempSync(path.join(tmpdir(), "assay-owed-"));
afterAll(() => rmSync(folder, { recursive: true }));
/** The first line of what the script in Python says. */
function checked(proof: unknown, ...args: string[]): string {
  const file = path.join(folder, "proof.json");
  writeFileSync(file, JSON.stringify(proof));
  const { stdout, stderr } = spawnSync("python3", [script, file, ...args], { encoding: "utf8" });
  return (stdout || stderr).split("\n")[0] ?? "";
}

test("the script in Python finds the same, in the vectors and in what the product gives out", async () => {
  for (const proof of hold) expect(checked(proof)).toMatch(/^ok: /);
  for (const { proof } of fail) expect(checked(proof)).toMatch(/^WRONG: /);
  const { proof } = await found(ada);
  expect(checked(proof, `${published.day}:${published.digest}`)).toBe(
    `ok: On ${published.day}, what is owed to everybody includes what is owed to account ${ada}.`,
  );
  const month = path.join(folder, "month.json");
  writeFileSync(month, JSON.stringify(await listProofDays(db)));
  expect(checked(proof, month)).toMatch(/^ok: /);
  expect(checked(proof, `${published.day}:${"ab".repeat(32)}`)).toMatch(/^WRONG: /);
  expect(checked({ leaf: null, path: [], day: published })).toMatch(/^Checks that/);
});
