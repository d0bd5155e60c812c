import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { rewrapDocumentKeys } from "../server/kyc/rewrap-document-keys.ts";
import { documentKeysFile } from "../server/platform/config/secrets.ts";
import { newKey } from "../server/platform/files/key-ring.ts";
import { forgetOlderDocumentKeys } from "../server/platform/require-same-keys.ts";
import { loadEnv } from "./load-env.ts";
import { runCommand } from "./run-command.ts";
import { readConfigOfExisting, withDatabase } from "./with-database.ts";

const usage = `Use: npm run documents -- new-key   (makes a key, the current one from the next start on)
     npm run documents -- rewrap    (wraps the key of every document under the current key)`;

await runCommand(usage, { "new-key": makeKey, rewrap });

/** The older keys stay: what they wrap must still open. */
function makeKey(): void {
  const env = loadEnv();
  const key = newKey();
  if (env["DOCUMENT_KEYS"]?.trim()) {
    console.log(`Put this before the keys in DOCUMENT_KEYS, then start everything again:\n${key}`);
    return;
  }
  const { dataDir } = readConfigOfExisting(env);
  const file = path.join(dataDir, "secrets", documentKeysFile);
  writeFileSync(`${file}.new`, `${key}\n${readFileSync(file, "utf8").trim()}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  console.log(
    `${file} begins with a new key. Start the product again, then: npm run documents -- rewrap`,
  );
}

async function rewrap(): Promise<void> {
  const config = readConfigOfExisting(loadEnv());
  const { documentKeys } = config;
  const { rewrapped, unreadable } = await withDatabase(config, async (db) => {
    const done = await rewrapDocumentKeys(db, documentKeys);
    if (done.unreadable.length === 0) await forgetOlderDocumentKeys(db, documentKeys);
    return done;
  });
  console.log(`${rewrapped} wrapped anew under ${documentKeys.currentId}.`);
  if (unreadable.length === 0) console.log("No document needs an older key any more.");
  else {
    console.log(`${unreadable.length} cannot be opened with these keys: ${unreadable.join(", ")}`);
    process.exitCode = 1;
  }
}
