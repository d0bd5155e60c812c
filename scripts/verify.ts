import { existsSync } from "node:fs";
import path from "node:path";
import type { KeptSeal } from "../server/ledger/journal-check.ts";
import { verifyJournal } from "../server/ledger/verify-journal.ts";
import { type Config, ConfigError, readConfig } from "../server/platform/config.ts";
import { openDatabase } from "../server/platform/database.ts";
import { openLog } from "../server/platform/log.ts";
import { loadEnv } from "./load-env.ts";
import { reachDatabase } from "./reach-database.ts";
import { oneLine } from "./run-until-stopped.ts";

const usage =
  "Use: npm run verify -- journal [SEAL:HASH]   (a seal's number and hash that you kept)";

const [subject, keptText, ...rest] = process.argv.slice(2);
const kept = keptText === undefined ? undefined : readKeptSeal(keptText);
if (subject !== "journal" || kept === null || rest.length > 0) {
  console.error(usage);
  process.exit(1);
}

try {
  if (!(await verify(readConfig(loadEnv()), kept))) process.exitCode = 1;
} catch (error) {
  console.error(oneLine(error));
  process.exitCode = 1;
}

function readKeptSeal(text: string): KeptSeal | null {
  const match = /^(\d{1,18}):([0-9a-f]{64})$/i.exec(text);
  const [, number, hash] = match ?? [];
  return number && hash ? { number, hash } : null;
}

async function verify(config: Config, seal: KeptSeal | undefined): Promise<boolean> {
  if (!config.databaseUrl && !existsSync(path.join(config.dataDir, "postgres", "PG_VERSION"))) {
    throw new ConfigError(`There is no database in DATA_DIR ${config.dataDir}.`);
  }
  const database = await reachDatabase(config);
  try {
    const db = openDatabase(database.applicationUrl, openLog("silent"), 1);
    try {
      const checks = await verifyJournal(db, seal);
      for (const { claim, holds, detail } of checks) {
        console.log(`${holds ? "ok   " : "WRONG"}  ${claim}: ${detail}`);
      }
      return checks.every(({ holds }) => holds);
    } finally {
      await db.$client.end();
    }
  } finally {
    await database.stop();
  }
}
