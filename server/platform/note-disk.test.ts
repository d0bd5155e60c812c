import { hostname } from "node:os";
import { expect, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";
import { readStanding } from "../console/today/read-standing.ts";
import { noteDisk } from "./note-disk.ts";
import { readDisk } from "./read-disk.ts";

const { db, owner } = await testDatabase();
const begin = new Date("2027-03-01T12:00:00Z");
const at = (minutes: number) => new Date(begin.getTime() + minutes * 60_000);
const place = `${hostname()}:/data`;

async function note(minutes: number, isShort: boolean) {
  const disk = { freeBytes: isShort ? 1 : 9e9, sizeBytes: 1e10, isShort };
  const looking = { db, config: { dataDir: "/data" }, now: () => at(minutes) };
  await noteDisk(looking, () => Promise.resolve(disk));
  return (await readStanding(db, at(minutes))).disks;
}

test("a disk is almost full since it was first seen to be, until there is room or nobody looks any more", async () => {
  expect(await note(0, false)).toEqual([]);
  expect(await note(1, true)).toEqual([{ place, since: at(1) }]);
  expect(await note(2, true)).toEqual([{ place, since: at(1) }]);
  expect(await note(3, false)).toEqual([]);
  expect(await note(4, true)).toEqual([{ place, since: at(4) }]);
  // The machine was taken away.
  expect((await readStanding(db, at(15))).disks).toEqual([]);
  expect(await note(26 * 60, true)).toEqual([{ place, since: at(26 * 60) }]);
  await owner.query("update disks set place = 'gone'");
  await note(52 * 60, false);
  expect((await owner.query("select place from disks")).rows).toEqual([{ place }]);
});

test("a folder's disk is read, and one that is not there is no disk", async () => {
  const disk = await readDisk(".");
  expect(disk?.sizeBytes).toBeGreaterThan(disk?.freeBytes ?? 0);
  expect(await readDisk("/nowhere/at/all")).toBeNull();
});
