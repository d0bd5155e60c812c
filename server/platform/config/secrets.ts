import { randomBytes } from "node:crypto";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { ConfigError, type Environment } from "../config.ts";
import { type KeyRing, newKey, parseKeyRing } from "../files/key-ring.ts";

/** The files in `dataDir` that hold the secret, and the one before, where the environment does not. */
export const authSecretFiles = { current: "auth-secret", before: "auth-secret-before" } as const;

export function authSecret(env: Environment, dataDir: string): string {
  return longSecret(env, "AUTH_SECRET") ?? secretInDataDir(dataDir, authSecretFiles.current);
}

export function authSecretBefore(env: Environment, dataDir: string): string | null {
  const given = longSecret(env, "AUTH_SECRET_BEFORE");
  if (given) return given;
  if (!existsSync(path.join(dataDir, "secrets", authSecretFiles.before))) return null;
  return secretInDataDir(dataDir, authSecretFiles.before);
}

function longSecret(env: Environment, name: string): string | null {
  const given = env[name]?.trim();
  if (!given) return null;
  if (given.length < 32) throw new ConfigError(`${name} must have at least 32 characters.`);
  return given;
}

export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Reads a random secret kept in the data directory, making it on the first run. */
export function secretInDataDir(dataDir: string, name: string, make = newSecret): string {
  const file = path.join(dataDir, "secrets", name);
  try {
    if (!existsSync(file)) makeSecret(file, make());
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${dataDir} cannot be written: ${(error as Error).message}`);
  }
  const secret = readFileSync(file, "utf8").trim();
  if (secret.length < 32) throw new ConfigError(`DATA_DIR holds a broken secret: ${file}.`);
  return secret;
}

/** Written whole before it gets its name: whoever dies meanwhile leaves no half secret, and of two at once one wins. */
function makeSecret(file: string, secret: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const aside = `${file}.${process.pid}`;
  try {
    writeFileSync(aside, secret, { mode: 0o600 });
    linkSync(aside, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Some shared folders know no links.
    if (code === "EPERM" || code === "ENOTSUP") renameSync(aside, file);
    else if (code !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** The file in `dataDir` that holds the document keys where DOCUMENT_KEYS does not. */
export const documentKeysFile = "document-keys";

export function documentKeys(env: Environment, dataDir: string): KeyRing {
  const given = env["DOCUMENT_KEYS"]?.trim();
  const ring = parseKeyRing(given || secretInDataDir(dataDir, documentKeysFile, newKey));
  if (ring) return ring;
  // The value is not repeated: it opens every document.
  throw new ConfigError(
    given
      ? "DOCUMENT_KEYS must hold keys as name:key, separated by commas, each key 43 characters of base64url."
      : `DATA_DIR holds broken document keys: ${path.join(dataDir, "secrets", documentKeysFile)}.`,
  );
}
