import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { restoreBackup } from "../server/backups/restore-backup.ts";
import { ConfigError } from "../server/platform/config.ts";
import type { Printed } from "./printed.ts";
import { oneLine } from "./run-until-stopped.ts";

const usage = `Use: npm run restore -- --identity FILE [--to TIME] [--from FOLDER]
     FILE    a private key that opens the backups, as npm run backup -- new-key made it; may be given again for another one
     TIME    a moment like 2026-11-30T10:15:00Z; without it, the newest
     FOLDER  where the backups are; without it, BACKUP_FOLDER
     DATA_DIR is where they are restored to. It must have no data yet.`;

export interface RestoreOrder {
  identities: string[];
  to: Date | null;
  from: string;
}

/** `npm run restore`. Returns the exit code. */
export async function restoreCommand(
  args: string[],
  env: NodeJS.ProcessEnv,
  printed: Printed,
): Promise<number> {
  try {
    const order = readRestoreOrder(args, env);
    if (env["DATABASE_URL"]) {
      throw new ConfigError(
        "DATABASE_URL is set, and backups are of the embedded database: unset it. npm run move then takes the data there.",
      );
    }
    const dataDir = path.resolve(env["DATA_DIR"]?.trim() || "./data");
    const { backup, upTo } = await restoreBackup({ ...order, dataDir });
    const last = upTo ?? new Date(backup.endedAt);
    printed.log(
      [
        `Restored into ${dataDir}: the backup ${backup.moment} and what followed, up to ${last.toISOString()}.`,
        `The settings that it was made with are in ${path.join(dataDir, "settings.env")}: copy what you need to .env, then start.`,
      ].join("\n"),
    );
    return 0;
  } catch (error) {
    printed.error(oneLine(error));
    return 1;
  }
}

/** @throws ConfigError */
export function readRestoreOrder(args: string[], env: NodeJS.ProcessEnv): RestoreOrder {
  const { identity = [], to, from = env["BACKUP_FOLDER"]?.trim() } = readOptions(args);
  if (identity.length === 0 || !from) throw new ConfigError(usage);
  const moment = to === undefined ? null : new Date(to);
  // A time without its zone is one thing here and another there.
  if (moment && !(/(Z|[+-]\d\d:?\d\d)$/.test(to ?? "") && Number.isFinite(moment.getTime()))) {
    throw new ConfigError(`--to takes a moment with its zone, like 2026-11-30T10:15:00Z.`);
  }
  return { from: path.resolve(from), to: moment, identities: identity.flatMap(readIdentities) };
}

function readOptions(args: string[]) {
  try {
    const options = {
      identity: { type: "string", multiple: true },
      to: { type: "string" },
      from: { type: "string" },
    } as const;
    return parseArgs({ args, options }).values;
  } catch {
    throw new ConfigError(usage);
  }
}

/** Lines of a file as `age-keygen` writes it: keys, and remarks behind a #. */
function readIdentities(file: string): string[] {
  const lines = readLines(file).map((line) => line.trim());
  const keys = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (keys.length > 0 && keys.every((key) => /^AGE-SECRET-KEY-/.test(key))) return keys;
  throw new ConfigError(`${file} must hold private keys of age, one on a line.`);
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch (error) {
    throw new ConfigError(
      `--identity ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}
