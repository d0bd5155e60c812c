import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { parseEnv } from "node:util";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
  walArchive,
} from "../platform/database/embedded-postgres.ts";
import { migrate } from "../platform/database/migrate.ts";
import { openDatabase } from "../platform/database.ts";
import { filesToKeep, openLocalFileStore } from "../platform/files/local-file-store.ts";
import { openLog } from "../platform/log/log.ts";
import { openBackupFolder, through } from "./backup-folder.ts";
import {
  listBackups,
  listDeleted,
  listFileCopies,
  listHistories,
  listWal,
} from "./backup-names.ts";
import { keepWal } from "./keep-wal.ts";
import { makeBackup } from "./make-backup.ts";
import { restoreBackup, unpackTar } from "./restore-backup.ts";
import { shipWal } from "./ship-wal.ts";
import { writeSettings } from "./write-settings.ts";

const folder = mkdtempSync(path.join(tmpdir(), "assay-backups-"));
const dataDir = path.join(folder, "data");
const from = path.join(folder, "kept");
const identity = await generateX25519Identity();
const ofKeys = await generateX25519Identity();
const another = await generateX25519Identity();
const config = {
  dataDir,
  s3: null,
  backups: {
    folder: from,
    recipients: [await identityToRecipient(identity)],
    keysRecipients: [await identityToRecipient(ofKeys)],
    keepDays: 30,
    settings: { SITE_NAME: "Nordhash" },
  },
};
const identities = [identity, ofKeys];
const own = {
  ...{ from, identities, signal: new AbortController().signal },
  whichAreNamed: async (_: string, keys: string[]) => keys.filter((each) => each === key("b")),
};
const make = (now = () => new Date(), asked = false) =>
  makeBackup(postgres.ownerUrl, config, { now, asked });
const key = (letter: string) => `slips/${letter.repeat(2)}/${letter.repeat(32)}`;

let postgres: EmbeddedPostgres;
let client: pg.Client;

beforeAll(async () => {
  mkdirSync(from);
  postgres = await startEmbeddedPostgres(dataDir, { archives: true, flags: ["-c", "fsync=off"] });
  await migrate(postgres.ownerUrl);
  client = new pg.Client({ connectionString: postgres.ownerUrl });
  await client.connect();
  await client.query("create table marks (mark int primary key)");
  write(key("a"));
});

afterAll(async () => {
  await client?.end();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("restores to the moment that was asked for, with keys, settings and files, from a copy that was made while it ran", async () => {
  await mark(1);
  const backup = await make();
  expect(backup).toMatchObject({ files: 1, seal: null });
  await mark(2);
  const moment = await now();
  await mark(3);
  await ship();
  await mark(4);

  expect(await restored("then", moment)).toEqual([1, 2]);
  expect(await restored("newest", null)).toEqual([1, 2, 3]);
  const secrets = (of: string) => readFileSync(path.join(of, "secrets", "postgres-owner"), "utf8");
  expect(secrets(path.join(folder, "then"))).toBe(secrets(dataDir));
  expect(readdirSync(path.join(folder, "then")).sort()).toEqual([
    ...["files", "postgres", "secrets", "settings.env", "wal"],
  ]);
  expect(readFileSync(path.join(folder, "then", "settings.env"), "utf8")).toBe(
    "SITE_NAME='Nordhash'\n",
  );
  expect(readFileSync(path.join(folder, "then", "files", key("a")), "utf8")).toBe(key("a"));
});

test("says what is kept where a moment has no copy, and leaves nothing behind", async () => {
  const [backup] = await listBackups(openBackupFolder(from));
  const target = path.join(folder, "refused");
  const restore = (to: Date) => restoreBackup({ ...own, dataDir: target, to });
  await expect(restore(new Date(0))).rejects.toThrow(
    `The oldest backup is of ${backup?.endedAt}: choose a later moment.`,
  );
  await expect(restore(new Date(Date.now() + 60_000))).rejects.toThrow(
    /What is kept ends before that moment, with a transaction of 20.* Without --to the newest is restored\./,
  );
  expect(readdirSync(target)).toEqual([]);
});

test("does not restore over data, with a key of something else, or what was changed", async () => {
  const restore = (dataDir: string, identities: string[], from: string) =>
    restoreBackup({ ...own, from, dataDir, identities, to: null });
  await expect(restore(dataDir, identities, from)).rejects.toThrow("has postgres already");
  const target = path.join(folder, "sealed");
  await expect(restore(target, [identity], from)).rejects.toThrow(
    "The key does not open this backup, or it was changed.",
  );
  const changed = path.join(folder, "changed");
  execFileSync("cp", ["-r", from, changed]);
  const [moment = ""] = readdirSync(path.join(changed, "bases"));
  const base = path.join(changed, "bases", moment, "base.tar.zst.age");
  const bytes = readFileSync(base);
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
  writeFileSync(base, bytes);
  await expect(restore(target, identities, changed)).rejects.toThrow();
  writeFileSync(base, bytes.subarray(0, bytes.length >> 1));
  await expect(restore(target, identities, changed)).rejects.toThrow();
  expect(readdirSync(target)).toEqual([]);
});

test("copies a file once, and keeps one that was deleted until no backup knows it", async () => {
  const day = 86_400_000;
  const at = (days: number) => () => new Date(Date.now() + days * day);
  write(key("b"));
  await make(at(1));
  rmSync(path.join(dataDir, "files", key("b")));
  await make(at(2));
  const kept = openBackupFolder(from);
  expect(await listFileCopies(kept)).toEqual([`files/${key("a")}.zst.age`]);
  expect(await listDeleted(kept)).toHaveLength(1);
  // A store that is not mounted is not an empty one.
  rmSync(path.join(dataDir, "files"), { recursive: true });
  mkdirSync(path.join(dataDir, "files"));
  await make(at(3));
  expect(await listFileCopies(kept)).toHaveLength(1);

  await ship();
  await make(at(40));
  expect(await listDeleted(kept)).toEqual([]);
  const backups = await listBackups(kept);
  expect(backups).toHaveLength(2);
  const wal = await listWal(kept);
  expect(wal.every((name) => name >= `wal/${backups[0]?.startWal}`)).toBe(true);
  expect(await restored("after", null)).toContain(4);
});

test("removes what a killed backup or restore left, and refuses a second one at the same time", async () => {
  const left = path.join(from, "bases", "2020-01-01T00-00-00Z", "base.tar.zst.age");
  mkdirSync(path.dirname(left));
  writeFileSync(left, "half");
  const target = path.join(folder, "killed");
  mkdirSync(path.join(target, "restoring", "postgres"), { recursive: true });
  const later = () => new Date(Date.now() + 1e10);
  const two = await Promise.all([make(later), make(later)]);
  expect(two.filter((each) => each === null)).toHaveLength(1);
  expect(existsSync(left)).toBe(false);
  expect(await restored("killed", null)).toContain(4);
});

test("what was stored since is kept each minute, by PostgreSQL's archive and by a second name", async () => {
  const db = openDatabase(postgres.applicationUrl, openLog("silent"), { connections: 1 });
  const kept = openBackupFolder(from);
  await keepWal(db, config, new Date());
  const store = openLocalFileStore(path.join(dataDir, "files"));
  await store.put(key("c"), Buffer.from("new"), "text/plain");
  await archived();
  // Two at once do no harm.
  await Promise.all([keepWal(db, config, new Date()), keepWal(db, config, new Date())]);
  expect(await listFileCopies(kept)).toContain(`files/${key("c")}.zst.age`);
  expect(readdirSync(filesToKeep(dataDir))).toEqual([]);
  expect(readdirSync(walArchive(dataDir)).filter((name) => !name.startsWith("arch"))).toEqual([]);
  const { rows } = await client.query("select at from backup_marks where of = 'wal'");
  expect(rows).toHaveLength(1);
  await db.$client.end();
});

test("goes on while the folder of the backups is away, and brings it up to date afterwards", async () => {
  await mark(5);
  await archived();
  const away = (folder: string) => ({ ...config, backups: { ...config.backups, folder } });
  const file = path.join(dataDir, "secrets", "postgres-owner");
  for (const nowhere of [path.join(folder, "nowhere"), file]) {
    await expect(shipWal(away(nowhere))).rejects.toThrow();
    const making = { now: () => new Date(), asked: true };
    await expect(makeBackup(postgres.ownerUrl, away(nowhere), making)).rejects.toThrow();
  }
  await shipWal(config);
  expect(readdirSync(walArchive(dataDir)).filter((name) => !name.startsWith("arch"))).toEqual([]);
  expect(await restored("late", null)).toContain(5);
});

test("an empty folder where there was one is a missing mount, and another database's is refused", async () => {
  const empty = path.join(folder, "empty");
  mkdirSync(empty);
  const into = (folder: string) => ({ ...config, backups: { ...config.backups, folder } });
  const making = { now: () => new Date(), asked: false };
  await expect(makeBackup(postgres.ownerUrl, into(empty), making)).rejects.toThrow(
    "has no backup, though some were made. Is it mounted?",
  );
  expect(readdirSync(empty)).toEqual([]);
  expect(
    await makeBackup(postgres.ownerUrl, into(empty), { ...making, asked: true }),
  ).not.toBeNull();
  const [moment = ""] = readdirSync(path.join(empty, "bases"));
  const about = path.join(empty, "bases", moment, "about.json");
  writeFileSync(about, readFileSync(about, "utf8").replace(/"system": "\d+"/, '"system": "1"'));
  await expect(makeBackup(postgres.ownerUrl, into(empty), making)).rejects.toThrow(
    "has backups of another database",
  );
});

test("says what is missing or broken, and restores the rest", async () => {
  // What was backed up elsewhere took its WAL along.
  await make(() => new Date(Date.now() + 1.1e10));
  await mark(6);
  await ship();
  const names = await listWal(openBackupFolder(from));
  const last = names.at(-1) ?? "";
  await mark(7);
  await ship();
  await mark(8);
  await ship();
  const holed = path.join(folder, "holed");
  execFileSync("cp", ["-r", from, holed]);
  const after = (await listWal(openBackupFolder(holed))).filter((name) => name > last);
  rmSync(path.join(holed, after[0] ?? ""));
  writeFileSync(path.join(holed, "files", ".DS_Store"), "another program's");
  writeFileSync(path.join(holed, `files/${key("c")}.zst.age`), "rotten");
  const target = path.join(folder, "with-holes");
  const { faults } = await restoreBackup({ ...own, from: holed, dataDir: target, to: null });
  expect(faults).toEqual([
    expect.stringMatching(/^the WAL [0-9A-F]{16} is missing, so what came later/),
    `files/${key("c")}.zst.age cannot be opened`,
  ]);
  expect(await readMarks(target)).toContain(6);
  expect(await readMarks(target)).not.toContain(7);
});

test("files are sealed again for new keys, so that the old one can go with its last backup", async () => {
  const recipients = [await identityToRecipient(another)];
  const changed = { ...config, backups: { ...config.backups, recipients } };
  const now = () => new Date(Date.now() + 2e10);
  await makeBackup(postgres.ownerUrl, changed, { now, asked: false });
  const target = path.join(folder, "another-key");
  const identities = [another, ofKeys];
  const { faults } = await restoreBackup({ ...own, identities, dataDir: target, to: null });
  expect(faults).toEqual([]);
  expect(existsSync(path.join(target, "files", key("c")))).toBe(true);
});

test("goes on after a restore: what is written then is restored the next time, not what was undone", async () => {
  await client.end();
  await postgres.stop();
  const target = path.join(folder, "goes-on");
  const all = [identity, ofKeys, another];
  const settings = { ...config, dataDir: target };
  // Of the newest for the first key.
  const folderOfFirst = path.join(folder, "first");
  execFileSync("cp", ["-r", from, folderOfFirst]);
  const newest = readdirSync(path.join(folderOfFirst, "bases")).sort().at(-1) ?? "";
  rmSync(path.join(folderOfFirst, "bases", newest), { recursive: true });
  const kept = { ...settings, backups: { ...config.backups, folder: folderOfFirst } };
  const again = { ...own, identities: all, from: folderOfFirst, to: null };
  await restoreBackup({ ...again, dataDir: target });
  postgres = await startEmbeddedPostgres(target, { archives: true, flags: ["-c", "fsync=off"] });
  client = new pg.Client({ connectionString: postgres.ownerUrl });
  await client.connect();
  await mark(100);
  await archived(target);
  await shipWal(kept);
  expect(await listHistories(openBackupFolder(folderOfFirst))).toContain("wal/00000002.history");
  const next = path.join(folder, "next");
  await restoreBackup({ ...again, dataDir: next });
  expect(await readMarks(next)).toContain(100);
});

test("is interrupted without a trace, and what was interrupted by force does not start", async () => {
  const target = path.join(folder, "interrupted");
  const controller = new AbortController();
  const whichAreNamed = async () => {
    controller.abort(new Error("Interrupted"));
    return [];
  };
  const signal = controller.signal;
  const going = restoreBackup({
    ...own,
    identities: [...identities, another],
    from: path.join(folder, "first"),
    dataDir: target,
    to: null,
    signal,
    whichAreNamed,
  });
  await expect(going).rejects.toThrow();
  expect(readdirSync(target)).toEqual([]);
  mkdirSync(path.join(target, "restoring"));
  await expect(startEmbeddedPostgres(target)).rejects.toThrow(
    "was interrupted: run npm run restore again",
  );
});

test("tar may end once it has what it unpacks, before the end of what it is given", async () => {
  const archive = execFileSync("tar", ["-c", "-C", dataDir, "secrets"]);
  const into = path.join(folder, "unpacked");
  /** Zeros after the end of the archive, for as long as anybody takes them. */
  async function* slowly() {
    yield archive;
    for (let n = 0; n < 100; n += 1) {
      await wait(10);
      yield new Uint8Array(512);
    }
  }
  await unpackTar(into, (sink) => through([Readable.from(slowly()), sink]));
  expect(readdirSync(into)).toEqual(["secrets"]);
  const half = [archive.subarray(0, 1_100)];
  const cut = unpackTar(path.join(folder, "cut"), (sink) => through([Readable.from(half), sink]));
  await expect(cut).rejects.toThrow(/tar ended with 2: .*EOF/s);
});

test("settings come back as they were, whatever they hold", () => {
  const settings = {
    DEPOSIT_WALLET_BITCOIN: "wpkh([d34db33f/84'/0'/0']xpub/0/*)",
    SMTP_URL: "smtp://user:a\"b'c#d@mail.example.com",
    SITE_NAME: "Nord hash = $HOME \\n",
  };
  expect(parseEnv(writeSettings(settings))).toEqual(settings);
  expect(writeSettings({ ODD: "'`\"" })).toMatch(/^# ODD /);
});

function write(name: string): void {
  const file = path.join(dataDir, "files", name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, name);
}

async function mark(number: number): Promise<void> {
  await client.query("insert into marks values ($1)", [number]);
}

async function now(): Promise<Date> {
  const { rows } = await client.query("select clock_timestamp() as at, pg_sleep(0.002)");
  return new Date(rows[0].at.getTime() + 1);
}

/** Waits until the segment that is written to has been archived. */
async function archived(of = dataDir): Promise<void> {
  await client.query("select pg_logical_emit_message(true, 'test', 'so that there is something')");
  const { rows } = await client.query("select pg_walfile_name(pg_switch_wal()) as name");
  await expect.poll(() => existsSync(path.join(walArchive(of), rows[0].name))).toBe(true);
}

async function ship(): Promise<void> {
  await archived();
  await shipWal(config);
}

async function restored(name: string, to: Date | null): Promise<number[]> {
  const target = path.join(folder, name);
  await restoreBackup({ ...own, dataDir: target, to });
  return readMarks(target);
}

async function readMarks(target: string): Promise<number[]> {
  const again = await startEmbeddedPostgres(target, { flags: ["-c", "fsync=off"] });
  const reader = new pg.Client({ connectionString: again.ownerUrl });
  await reader.connect();
  const { rows } = await reader.query("select mark from marks order by mark");
  await reader.end();
  await again.stop();
  return rows.map(({ mark: number }) => number);
}
