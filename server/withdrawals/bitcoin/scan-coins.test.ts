import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parseWalletKey, type WalletKey } from "#core/wallet/wallet-key.ts";
import { BitcoinNode } from "#server/chain/bitcoin/bitcoin-node.ts";
import { recordWallets } from "#server/chain/wallets/record-wallets.ts";
import { readAgain } from "#server/reconciliation/read-again.ts";
import { startWorker } from "#server/worker.ts";
import { newTestDescriptor } from "#tests/factories/chain.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testSteps } from "#tests/factories/withdrawal.ts";
import { testApp } from "#tests/setup/test-app.ts";
import { getReadiness } from "../batches/get-readiness.ts";
import { askForCoins, scanCoins } from "./scan-coins.ts";

type Answer = (answer: object) => void;

/** Scans that the node was asked for and has not answered, as one whose chain is long; a second one is refused meanwhile. */
const scanning: Answer[] = [];
let scans = 0;
let scansForSomebodyElse = false;
const server = createServer(async (request, response) => {
  const { method } = JSON.parse(await text(request));
  const answer = (body: object) => response.end(JSON.stringify({ id: 1, ...body }));
  if (method !== "scantxoutset") return answer({ error: { code: -32601, message: "unknown" } });
  scans += 1;
  if (scansForSomebodyElse || scanning.length > 0) {
    const message = 'Scan already in progress, use action "abort" or "status"';
    return answer({ error: { code: -8, message } });
  }
  return scanning.push(answer);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => server.closeAllConnections());
afterAll(() => server.close());

const { app, db, owner } = await testApp({
  BITCOIN_RPC_URL: url,
  DEPOSIT_WALLET_BITCOIN: newTestDescriptor(),
});
const key = app.config.wallets.bitcoin;
if (!key) throw new Error("a wallet is configured");
const anotherKey = parseWalletKey(newTestDescriptor(), "bitcoin", "regtest") as WalletKey;
const grace = await createTestOperator(db);
const now = () => new Date();

function endScan(): void {
  const found = { success: true, height: 7, bestblock: "ab".repeat(32), unspents: [] };
  scanning.shift()?.({ result: found });
}

async function findJob(name = "withdrawals/scan-coins") {
  const { rows } = await owner.query(
    `select attempts, locked_at > now() - interval '1 minute' as "isLockedLately"
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = $1`,
    [name],
  );
  return rows[0];
}

async function findScan() {
  const { rows } = await owner.query(
    `select id, fault, height, finished_at is null as open from coin_scans order by asked_at desc limit 1`,
  );
  return rows[0];
}

beforeAll(async () => {
  await recordWallets(db, [key], now());
  // The wallets' own reading would be a scan, too.
  await owner.query(
    `insert into wallet_readings (wallet_id, day, asset, units, outputs, block_height, block_hash, read_at)
     select id, (now() at time zone 'utc')::date + day, 'BTC', 0, 0, 7, repeat('ab', 32), now() + day * interval '1 day' from wallets, generate_series(0, 1) day`,
  );
});
beforeEach(() => {
  scans = 0;
  scansForSomebodyElse = false;
});

test("a long scan is asked for once, keeps its lock while its worker lives, and is used", async () => {
  const worker = await startWorker(app, { renewEveryMs: 20 });
  try {
    await askForCoins(db, grace, key, now());
    await expect.poll(() => scanning.length).toBe(1);
    // Twice the greater part of the half minute after which a lock counts as a dead worker's.
    for (const passed of ["20 seconds", "20 seconds"]) {
      const age =
        "update graphile_worker._private_jobs set locked_at = locked_at - $1::interval where locked_at is not null";
      await owner.query(age, [passed]);
      await expect.poll(() => findJob()).toEqual({ attempts: 1, isLockedLately: true });
    }
    endScan();
    await expect.poll(findScan).toMatchObject({ open: false, fault: null, height: 7 });
    expect(scans).toBe(1);
  } finally {
    await worker.stop();
  }
});

test("while the node scans for somebody else the job comes again, and finds its coins then", async () => {
  const worker = await startWorker(app);
  try {
    scansForSomebodyElse = true;
    await askForCoins(db, grace, key, now());
    await expect.poll(() => scans).toBeGreaterThan(0);
    await expect.poll(() => findJob()).toMatchObject({ isLockedLately: null });
    expect(await findScan()).toMatchObject({ open: true });
    scansForSomebodyElse = false;
    await owner.query("update graphile_worker._private_jobs set run_at = now()");
    await expect.poll(() => scanning.length).toBe(1);
    endScan();
    await expect.poll(findScan).toMatchObject({ open: false, fault: null, height: 7 });
  } finally {
    await worker.stop();
  }
});

test("wallets that are to be read again wait for another scan's end, too", async () => {
  const readings = async () =>
    (
      await owner.query(
        "select from wallet_readings where block_height = 7 and units = 0 and outputs = 0 and read_at < now()",
      )
    ).rowCount;
  const before = await readings();
  const worker = await startWorker(app);
  try {
    scansForSomebodyElse = true;
    await readAgain(db, grace, now());
    await expect.poll(() => scans).toBeGreaterThan(0);
    await expect
      .poll(() => findJob("reconciliation/read-wallets-again"))
      .toMatchObject({ isLockedLately: null });
    scansForSomebodyElse = false;
    await owner.query("update graphile_worker._private_jobs set run_at = now()");
    await expect.poll(() => scanning.length).toBe(1);
    endScan();
    await expect.poll(readings).toBe((before ?? 0) + 1);
  } finally {
    await worker.stop();
  }
});

test("a worker that stops leaves its scan to the next one; what is never free says so after two hours", async () => {
  await askForCoins(db, grace, key, now());
  const { id: scanId } = await findScan();
  const stopping = new AbortController();
  const node = new BitcoinNode(url, stopping.signal);
  const scanned = scanCoins(db, { node, key, scanId, stopping: stopping.signal }, now);
  await expect.poll(() => scanning.length).toBe(1);
  stopping.abort();
  await expect(scanned).rejects.toThrow("not waited for");
  expect(await findScan()).toMatchObject({ id: scanId, open: true });

  // The node scans on, though nobody waits.
  const next = { node: new BitcoinNode(url), key, scanId };
  await scanCoins(db, next, now);
  expect(await findScan()).toMatchObject({ id: scanId, open: true });
  await scanCoins(db, next, () => new Date(Date.now() + 2 * 3_600_000));
  const fault = expect.stringContaining("already in progress");
  expect(await findScan()).toMatchObject({ id: scanId, open: false, fault });
  endScan();
});

test("while the node scans for somebody else it is asked every five minutes", async () => {
  scansForSomebodyElse = true;
  await askForCoins(db, grace, key, now());
  await owner.query("delete from graphile_worker._private_jobs");
  const { id: scanId } = await findScan();
  const asked = { node: new BitcoinNode(url), key, scanId };
  await scanCoins(db, asked, now);
  await scanCoins(db, asked, now);
  const { rows } = await owner.query(
    `select round(extract(epoch from run_at - now()) / 60)::int as minutes
       from graphile_worker.jobs where task_identifier = 'withdrawals/scan-coins'`,
  );
  expect(rows).toEqual([{ minutes: 5 }]);
  await scanCoins(db, { ...asked, node: null }, now);
});

test("a scan ends when its wallet or its node is no longer configured", async () => {
  for (const gone of [{ key: null }, { node: null }, { key: anotherKey }]) {
    await askForCoins(db, grace, key, now());
    const { id: scanId } = await findScan();
    await scanCoins(db, { node: new BitcoinNode(url), key, scanId, ...gone }, now);
    const fault = expect.stringContaining("no longer configured");
    expect(await findScan()).toMatchObject({ id: scanId, open: false, fault });
  }
});

test("a scan whose job was lost keeps nobody from asking for another after four hours", async () => {
  await askForCoins(db, grace, key, now());
  const lost = await findScan();
  const later = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  const readiness = async (at: Date) =>
    (await getReadiness(db, { key, steps: testSteps }, at)).scan;
  await askForCoins(db, grace, key, later(3.9));
  expect(await findScan()).toMatchObject({ id: lost.id, open: true });
  expect(await readiness(later(3.9))).toMatchObject({ runs: true, fault: null });
  const fault = "It has not ended in four hours.";
  expect(await readiness(later(4))).toMatchObject({ runs: false, fault });
  await askForCoins(db, grace, key, later(4));
  const next = await findScan();
  expect(next).toMatchObject({ open: true });
  expect(next.id).not.toBe(lost.id);
  expect(await readiness(later(4))).toMatchObject({ runs: true, fault: null });
});
