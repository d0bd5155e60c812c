import { mkdirSync } from "node:fs";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { restoreBackup } from "#server/backups/restore-backup.ts";

/** A folder for backups, with a key that opens them: what the settings say of it, and how they are restored. */
export async function createBackupFolder(folder: string) {
  mkdirSync(folder);
  const identity = await generateX25519Identity();
  const recipients = [await identityToRecipient(identity)];
  const { signal } = new AbortController();
  return {
    backups: { folder, recipients, keysRecipients: recipients, keepDays: 30, settings: {} },
    restore: (dataDir: string, to: Date | null = null) =>
      restoreBackup({
        ...{ from: folder, to, dataDir, identities: [identity], signal },
        whichAreNamed: async () => [],
      }),
  };
}
