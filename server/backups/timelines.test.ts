import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { createBackupFolder } from "#tests/factories/backups.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
  walArchive,
} from "../platform/database/embedded-postgres.ts";
import { migrate } from "../platform/database/migrate.ts";
import { openBackupFolder } from "./backup-folder.ts";
import { listBackups, listWal } from "./backup-names.ts";
import { makeBackup } from "./make-backup.ts";
import { shipWal } from "./ship-wal.ts";
import { isBackupInHistory, isSegmentInHistory, segmentNumberOf } from "./timelines.ts";

const folder = mkdtempSync(path.join(tmpdir(), "assay-timelines-"));
const from = path.join(folder, "kept");
const { backups, restore } = await createBackupFolder(from);
let running: EmbeddedPostgres | undefined;
afterAll(async () => {
  await running?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** One life of the product on a data directory. */
async function live(
  name: string,
  work: (life: Awaited<ReturnType<typeof begin>>) => Promise<void>,
) {
  const life = await begin(name);
  await work(life);
  await life.client.end();
  await running?.stop();
  running = undefined;
}

async function begin(name: string) {
  const dataDir = path.join(folder, name);
  const config = { dataDir, s3: null, backups };
  const postgres = await startEmbeddedPostgres(dataDir, {
    archives: true,
    flags: ["-c", "fsync=off"],
  });
  running = postgres;
  const client = new pg.Client({ connectionString: postgres.ownerUrl });
  await client.connect();
  const mark = (number: number) => client.query("insert into marks values ($1)", [number]);
  return {
    client,
    mark,
    url: postgres.ownerUrl,
    backUp: () => makeBackup(postgres.ownerUrl, config, { now: () => new Date(), asked: true }),
    marks: async () => {
      const { rows } = await client.query("select array_agg(mark order by mark) as all from marks");
      return rows[0].all;
    },
    async ship() {
      await client.query("select pg_logical_emit_message(true, 'test', 'something')");
      const { rows } = await client.query("select pg_walfile_name(pg_switch_wal()) as name");
      await expect.poll(() => existsSync(path.join(walArchive(dataDir), rows[0].name))).toBe(true);
      await shipWal(config);
    },
  };
}

test("after going back to a moment what went on counts, and not what was undone, also where that has newer backups", async () => {
  let moment = new Date();
  await live("first", async ({ url, client, mark, backUp, ship }) => {
    await migrate(url);
    await client.query("create table marks (mark int primary key)");
    await backUp();
    await mark(1);
    const { rows } = await client.query("select clock_timestamp() as at, pg_sleep(0.005)");
    moment = new Date(rows[0].at.getTime() + 1);
    await mark(2);
    // Another second, another name.
    await client.query("select pg_sleep(1)");
    await backUp();
    await mark(3);
    await ship();
  });
  expect(await listBackups(openBackupFolder(from))).toHaveLength(2);
  await restore(path.join(folder, "second"), moment);
  await live("second", async ({ mark, marks, ship }) => {
    expect(await marks()).toEqual([1]);
    await mark(4);
    await ship();
  });
  // No backup of this line has been made yet.
  const { faults } = await restore(path.join(folder, "third"));
  expect(faults).toEqual([]);
  await live("third", async ({ mark, marks, backUp, ship }) => {
    expect(await marks()).toEqual([1, 4]);
    await backUp();
    await mark(5);
    await ship();
  });
  await restore(path.join(folder, "fourth"));
  await live("fourth", async ({ marks }) => expect(await marks()).toEqual([1, 4, 5]));
});

test("a segment of the line that cannot be opened ends it, and the rest is restored", async () => {
  const wal = (await listWal(openBackupFolder(from))).filter((name) => name.includes("/00000003"));
  const last = wal.at(-1) ?? "";
  writeFileSync(path.join(from, last), "rotten");
  const { faults } = await restore(path.join(folder, "fifth"));
  expect(faults).toEqual([`${last} cannot be opened, so what came later could not be used`]);
  await live("fifth", async ({ marks }) => expect(await marks()).toEqual([1, 4]));
});

test("one folder takes one of two copies, and not the one that a copy has gone past", async () => {
  await live("fourth", ({ ship }) => ship());
  // Restored from the same backups, and to PostgreSQL the same timeline.
  await live("fifth", async ({ ship }) => {
    await expect(ship()).rejects.toThrow("Another copy of this database");
  });
  await live("first", async ({ backUp }) => {
    await expect(backUp()).rejects.toThrow("A restored copy of this database has written");
  });
});

test("knows which timeline a place belongs to", () => {
  const line = {
    newest: 3,
    leftAt: new Map([
      [1, 5n],
      [2, 9n],
    ]),
  };
  const segment = (timeline: number, place: number) =>
    `0000000${timeline}00000000${place.toString(16).toUpperCase().padStart(8, "0")}`;
  expect(segmentNumberOf("000000010000000200000003")).toBe(2n * 256n + 3n);
  const of = (timeline: number) =>
    [4, 5, 6, 9, 10].filter((place) => isSegmentInHistory(line, segment(timeline, place)));
  expect(of(1)).toEqual([4, 5]);
  expect(of(2)).toEqual([5, 6, 9]);
  expect(of(3)).toEqual([9, 10]);
  const backup = (timeline: number, place: number) =>
    ({ startWal: segment(timeline, place), endWal: segment(timeline, place) }) as Parameters<
      typeof isBackupInHistory
    >[1];
  expect(isBackupInHistory(line, backup(1, 4))).toBe(true);
  expect(isBackupInHistory(line, backup(1, 5))).toBe(false);
  expect(isBackupInHistory(line, backup(3, 20))).toBe(true);
});
