import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { openBackupFolder } from "../server/backups/backup-folder.ts";
import { listBackups } from "../server/backups/backup-names.ts";
import { makeBackup } from "../server/backups/make-backup.ts";
import { readConfig } from "../server/platform/config/read-config.ts";
import { type Config, ConfigError } from "../server/platform/config.ts";
import type { Printed } from "./printed.ts";
import { reachDatabase } from "./reach-database.ts";
import { oneLine } from "./run-until-stopped.ts";
import { readConfigOfExisting } from "./with-database.ts";

const usage = `Use: npm run backup               (makes one now, while the product runs or not)
     npm run backup -- list       (those that are kept)
     npm run backup -- new-key    (a pair of keys: the public one seals backups, the private one opens them)`;

/** `npm run backup`. Returns the exit code. */
export async function backupCommand(
  [command = "now", ...more]: string[],
  env: NodeJS.ProcessEnv,
  printed: Printed,
): Promise<number> {
  const run = more.length === 0 ? { now: make, list, "new-key": makeKey }[command] : undefined;
  try {
    if (!run) throw new ConfigError(usage);
    printed.log(await run(env));
    return 0;
  } catch (error) {
    printed.error(oneLine(error));
    return 1;
  }
}

async function make(env: NodeJS.ProcessEnv): Promise<string> {
  const { backups, ...config } = readBackups(readConfigOfExisting(env));
  const database = await reachDatabase({ backups, ...config });
  try {
    const making = { now: () => new Date(), asked: true };
    const made = await makeBackup(database.ownerUrl, { ...config, backups }, making);
    if (!made) throw new ConfigError("A backup is being made already.");
    const files = made.files === null ? "files are in the bucket" : `${made.files} files`;
    return `${made.moment}: ${megabytes(made.bytes)}, ${files}. It is in ${backups.folder}.`;
  } finally {
    await database.stop();
  }
}

async function list(env: NodeJS.ProcessEnv): Promise<string> {
  const { backups } = readBackups(readConfig(env));
  const kept = await listBackups(openBackupFolder(backups.folder));
  const lines = kept.map(
    ({ moment, bytes, seal }) => `${moment}  ${megabytes(bytes)}  seal ${seal ?? "none"}`,
  );
  return lines.join("\n") || `There is no backup in ${backups.folder}.`;
}

async function makeKey(): Promise<string> {
  const identity = await generateX25519Identity();
  return [
    "Set this where the product runs:",
    `  BACKUP_RECIPIENT=${await identityToRecipient(identity)}`,
    "Keep this elsewhere, in a file of one line, and never on that machine. It is shown once:",
    `  ${identity}`,
  ].join("\n");
}

function readBackups(config: Config) {
  const { backups } = config;
  if (backups) return { ...config, backups };
  throw new ConfigError("BACKUP_FOLDER says where backups go: it is not set.");
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
