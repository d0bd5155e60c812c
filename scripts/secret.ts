import { renameSync, rmSync } from "node:fs";
import path from "node:path";
import { resealSecrets } from "../server/identity/mfa/reseal-secrets.ts";
import { createAuth } from "../server/identity/sessions/auth.ts";
import { authSecretFiles, newSecret } from "../server/platform/config/secrets.ts";
import { ConfigError } from "../server/platform/config.ts";
import { acceptKey, type KeyKind } from "../server/platform/require-same-keys.ts";
import { loadEnv } from "./load-env.ts";
import { runCommand } from "./run-command.ts";
import { readConfigOfExisting, withDatabase } from "./with-database.ts";

const usage = `Use: npm run secret -- new      (makes a new AUTH_SECRET, and keeps the one before beside it)
     npm run secret -- reseal   (seals the secrets of authenticator apps with the new one)
     npm run secret -- forget   (ends what the one before has signed)
     npm run secret -- accept-secret, accept-documents or accept-files
                                (what every process had is lost: the next start notes its AUTH_SECRET, DOCUMENT_KEYS or file store)`;

await runCommand(usage, {
  new: makeNew,
  reseal,
  forget,
  "accept-secret": () => accept("auth-secret"),
  "accept-documents": () => accept("document-key"),
  "accept-files": () => accept("file-store"),
});

function makeNew(): void {
  const env = loadEnv();
  const { authSecretBefore, dataDir } = readConfigOfExisting(env);
  if (authSecretBefore) {
    throw new ConfigError(
      "There is a secret before this one still. First: npm run secret -- reseal, then -- forget.",
    );
  }
  if (env["AUTH_SECRET"]?.trim()) {
    console.log(
      `Set AUTH_SECRET_BEFORE to what AUTH_SECRET is now, and AUTH_SECRET to this:\n${newSecret()}`,
    );
  } else {
    // The next reading of the configuration makes the file anew.
    renameSync(fileOf(dataDir, "current"), fileOf(dataDir, "before"));
    readConfigOfExisting(env);
    console.log(`${fileOf(dataDir, "current")} is new; the one before lies beside it.`);
  }
  console.log("Start everything again, then: npm run secret -- reseal");
}

async function reseal(): Promise<void> {
  const config = readConfigOfExisting(loadEnv());
  const { resealed, unreadable } = await withDatabase(config, (db) =>
    resealSecrets(db, createAuth(config)),
  );
  console.log(`${resealed} secrets of authenticator apps are sealed anew.`);
  if (unreadable.length === 0) console.log("None needs the secret before any more.");
  else {
    console.log(`${unreadable.length} cannot be opened; they are of: ${unreadable.join(", ")}`);
    process.exitCode = 1;
  }
}

function forget(): void {
  const env = loadEnv();
  if (env["AUTH_SECRET_BEFORE"]?.trim()) {
    throw new ConfigError("Take AUTH_SECRET_BEFORE out of the environment, and start again.");
  }
  rmSync(fileOf(readConfigOfExisting(env).dataDir, "before"), { force: true });
  console.log("The secret before is gone. Start everything again.");
}

async function accept(of: KeyKind): Promise<void> {
  await withDatabase(readConfigOfExisting(loadEnv()), (db) => acceptKey(db, of));
  console.log("The next start notes what it has. Start that process first.");
}

function fileOf(dataDir: string, which: keyof typeof authSecretFiles): string {
  return path.join(dataDir, "secrets", authSecretFiles[which]);
}
