import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ConfigError, documentKeysFile, readConfig } from "../server/platform/config.ts";
import { openDatabase } from "../server/platform/database.ts";
import { newKey } from "../server/platform/files/key-ring.ts";
import { openLog } from "../server/platform/log.ts";
import { rewrapDocumentKeys } from "../server/verification/rewrap-document-keys.ts";
import { loadEnv } from "./load-env.ts";
import { reachDatabase } from "./reach-database.ts";
import { oneLine } from "./run-until-stopped.ts";

const usage = `Use: npm run documents -- new-key   (makes a key, the current one from the next start on)
     npm run documents -- rewrap    (wraps the key of every document under the current key)`;

const [command, ...rest] = process.argv.slice(2);
const commands: Record<string, () => void | Promise<void>> = { "new-key": makeKey, rewrap };
const run = rest.length === 0 ? commands[command ?? ""] : undefined;

try {
  if (!run) throw new ConfigError(usage);
  await run();
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : oneLine(error));
  process.exitCode = 1;
}

/** The older keys stay: what they wrap must still open. */
function makeKey(): void {
  const env = loadEnv();
  const key = newKey();
  if (env["DOCUMENT_KEYS"]?.trim()) {
    console.log(`Put this before the keys in DOCUMENT_KEYS, then start everything again:\n${key}`);
    return;
  }
  const { dataDir } = readConfig(env);
  const file = path.join(dataDir, "secrets", documentKeysFile);
  writeFileSync(`${file}.new`, `${key}\n${readFileSync(file, "utf8").trim()}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  console.log(
    `${file} begins with a new key. Start the product again, then: npm run documents -- rewrap`,
  );
}

async function rewrap(): Promise<void> {
  const config = readConfig(loadEnv());
  if (!config.databaseUrl && !existsSync(path.join(config.dataDir, "postgres", "PG_VERSION"))) {
    throw new ConfigError(`There is no database in DATA_DIR ${config.dataDir}.`);
  }
  const database = await reachDatabase(config);
  const db = openDatabase(database.applicationUrl, openLog("silent"), 1);
  try {
    const { rewrapped, unreadable } = await rewrapDocumentKeys(db, config.documentKeys);
    console.log(`${rewrapped} wrapped anew under ${config.documentKeys.currentId}.`);
    if (unreadable.length === 0) console.log("No document needs an older key any more.");
    else {
      console.log(
        `${unreadable.length} cannot be opened with these keys: ${unreadable.join(", ")}`,
      );
      process.exitCode = 1;
    }
  } finally {
    await db.$client.end();
    await database.stop();
  }
}
