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
export const ofWal = (segment: string) => `wal/${segment}${sealedEnding}`;
export const ofFile = (key: string) => `files/${key}${sealedEnding}`;

/** What is said of a backup in the clear. It is written last: what has none is not whole. */
const aboutBackup = z.strictObject({
  format: z.literal(1),
  /** PostgreSQL's major. */
  postgres: z.int(),
  /** Since when, and from when on, a restore can be to. */
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** Name of the first segment of WAL that it needs. */
  startWal: z.string().check(z.regex(/^[0-9A-F]{24}$/)),
  /** The newest seal of the ledger and link of the audit log that are in it, as NUMBER:HASH; null: there was none. */
  seal: z.nullable(z.string()),
  link: z.nullable(z.string()),
  bytes: z.int(),
  /** How many uploaded files there were; null: they are in a bucket, which is not copied here. */
  files: z.nullable(z.int()),
});

export type AboutBackup = z.infer<typeof aboutBackup>;

export interface KeptBackup extends AboutBackup {
  moment: string;
}

/** Every backup that is whole, the oldest first. */
export async function listBackups(folder: BackupFolder): Promise<KeptBackup[]> {
  const names = (await folder.list("bases")).filter((name) => name.endsWith("/about.json"));
  const backups: KeptBackup[] = [];
  for (const name of names) {
    const about = aboutBackup.parse(JSON.parse(await textOf(folder, name)));
    backups.push({ ...about, moment: name.split("/")[1] ?? "" });
  }
  return backups;
}

async function textOf(folder: BackupFolder, name: string): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of folder.read(name)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}
