import { text } from "node:stream/consumers";
import { z } from "#core/zod.ts";
import type { BackupFolder } from "./backup-folder.ts";
import { sealedEnding } from "./seal-backup.ts";

/** How backups lie in their folder: `bases/MOMENT/…` of each, the WAL that followed, and files once for all. */
export const ofBase = (moment: string) => ({
  all: `bases/${moment}`,
  base: `bases/${moment}/base.tar${sealedEnding}`,
  keys: `bases/${moment}/keys.json${sealedEnding}`,
  about: `bases/${moment}/about.json`,
});
/** Where a timeline begins is said in the clear: whatever key is asked for a backup, that must be known. */
export const ofWal = (segment: string) =>
  segment.endsWith(".history") ? `wal/${segment}` : `wal/${segment}${sealedEnding}`;
export const ofFile = (key: string) => `files/${key}${sealedEnding}`;

const moment = String.raw`\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ`;
const key = String.raw`[a-z]+\/[0-9a-f]{2}\/[0-9a-f]{32}`;
const sealed = sealedEnding.replaceAll(".", String.raw`\.`);
/** What PostgreSQL archives: segments, the histories of timelines, and notes of where a backup began. */
export const archived = /^[0-9A-F]{8}(\.history|[0-9A-F]{16}(\.[0-9A-F]{8}\.backup)?)$/;

const isAbout = new RegExp(`^bases/${moment}/about\\.json$`);
const isOfBase = new RegExp(`^bases/${moment}/`);
const isWal = new RegExp(`^wal/[0-9A-F]{24}${sealed}$`);
const isHistory = /^wal\/[0-9A-F]{8}\.history$/;
const isFile = new RegExp(`^files/${key}${sealed}$`);
const isDeleted = new RegExp(`^deleted/\\d{4}-\\d\\d-\\d\\d/files/${key}${sealed}$`);

/** Only what looks like ours: other programs leave files of their own in folders. */
export const listBases = async (folder: BackupFolder) =>
  new Set((await folder.list("bases", isOfBase)).map((name) => name.split("/")[1] ?? ""));
export const listWal = (folder: BackupFolder) => folder.list("wal", isWal);
export const listHistories = (folder: BackupFolder) => folder.list("wal", isHistory);
export const listFileCopies = (folder: BackupFolder) => folder.list("files", isFile);
export const listDeleted = (folder: BackupFolder) => folder.list("deleted", isDeleted);

/** The key of a file by the name of its copy. */
export function keyOf(name: string): string {
  return name.slice(name.indexOf("files/") + "files/".length, -sealedEnding.length);
}

/** The segment by the name under which it is kept. */
export function segmentOf(name: string): string {
  return name.slice("wal/".length, -sealedEnding.length);
}

/** What is said of a backup in the clear. It is written last: what has none is not whole. */
const aboutBackup = z.strictObject({
  format: z.literal(1),
  /** PostgreSQL's major. */
  postgres: z.int(),
  /** PostgreSQL's own number of the cluster, which a restored one keeps. */
  system: z.string(),
  /** Since when, and from when on, a restore can be to. */
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** Names of the first and the last segment of WAL that it needs, and holds. */
  startWal: z.string().check(z.regex(/^[0-9A-F]{24}$/)),
  endWal: z.string().check(z.regex(/^[0-9A-F]{24}$/)),
  /** The newest seal of the ledger and link of the audit log that are in it, as NUMBER:HASH; null: there was none. */
  seal: z.nullable(z.string()),
  link: z.nullable(z.string()),
  bytes: z.int(),
  /** How many uploaded files there were; null: they are in a bucket, which is not copied here. */
  files: z.nullable(z.int()),
  /** Whose keys open it, and the copies of files. */
  recipients: z.array(z.string()),
});

export type AboutBackup = z.infer<typeof aboutBackup>;

export interface KeptBackup extends AboutBackup {
  moment: string;
}

/** Every backup that is whole, the oldest first. */
export async function listBackups(folder: BackupFolder): Promise<KeptBackup[]> {
  const backups: KeptBackup[] = [];
  for (const name of await folder.list("bases", isAbout)) {
    const backup = await readAbout(folder, name);
    if (backup) backups.push(backup);
  }
  return backups;
}

export async function findNewestBackup(folder: BackupFolder): Promise<KeptBackup | null> {
  for (const name of (await folder.list("bases", isAbout)).toReversed()) {
    const backup = await readAbout(folder, name);
    if (backup) return backup;
  }
  return null;
}

/** Null: it was removed meanwhile, or is nothing of ours. */
async function readAbout(folder: BackupFolder, name: string): Promise<KeptBackup | null> {
  const said = await text(folder.read(name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const read = aboutBackup.safeParse(parseJson(said));
  return read.success ? { ...read.data, moment: name.split("/")[1] ?? "" } : null;
}

function parseJson(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return null;
  }
}
