import { readFileSync } from "node:fs";
import path from "node:path";
import { bech32 } from "@scure/base";
import { type Config, ConfigError, type Environment } from "../config.ts";
import { wholeNumber } from "./read-setting.ts";

/** Where backups go and who can open them; null: nowhere, and the start warns of it on mainnet. */
export function backups(env: Environment, databaseUrl: string | null): Config["backups"] {
  const folder = env["BACKUP_FOLDER"]?.trim();
  if (!folder) return null;
  if (databaseUrl) {
    throw new ConfigError(
      "BACKUP_FOLDER is for the embedded database. A PostgreSQL of your own is backed up by its own tools (docs/operating/backup-and-restore.md): unset BACKUP_FOLDER.",
    );
  }
  const recipients = recipientsIn(env, "BACKUP_RECIPIENT");
  if (recipients.length === 0) {
    throw new ConfigError(
      "BACKUP_FOLDER needs BACKUP_RECIPIENT, whose key opens the backups: npm run backup -- new-key.",
    );
  }
  const ofKeys = recipientsIn(env, "BACKUP_KEYS_RECIPIENT");
  return {
    folder: path.resolve(folder),
    recipients,
    keysRecipients: ofKeys.length > 0 ? ofKeys : recipients,
    keepDays: wholeNumber(env, "BACKUP_KEEP_DAYS", 30, 1, 3650),
    settings: settingsIn(env),
  };
}

/** Public keys in age's form, separated by commas. */
function recipientsIn(env: Environment, name: string): string[] {
  const given = (env[name] ?? "").split(",").map((each) => each.trim());
  return given.filter(Boolean).map((each) => {
    // What must never be here is not repeated.
    if (/^age1/.test(each) && bech32.decodeUnsafe(each, false)) return each;
    throw new ConfigError(`${name} must be public keys of age (age1…), separated by commas.`);
  });
}

/** What the environment says of all that the product can be told: without it a copy of the data does not run. */
function settingsIn(env: Environment): Record<string, string> {
  const example = readFileSync(new URL("../../../.env.example", import.meta.url), "utf8");
  const names = [...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = ""]) => name);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name];
      return value ? [[name, value] as const] : [];
    }),
  );
}
