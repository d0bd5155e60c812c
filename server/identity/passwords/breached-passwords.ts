import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Refusal } from "#core/refusal.ts";
import { type Config, ConfigError } from "../../platform/config.ts";
import type { Site } from "../../platform/mail/layout.ts";

/** Longer than any line: 40 characters of a hash, a count, and how lines end. */
const lineBytes = 80;
const line = /^[0-9A-F]{40}(:\d+)?\r?$/i;

/** The site whose rules a new password follows. */
export type PasswordSite = Site & Partial<Pick<Config, "breachedPasswordsFile">>;

/**
 * Refuses a password that stands in the operator's file of leaked ones: a line for each, its SHA-1 in hexadecimal, sorted, as
 * Pwned Passwords is handed out. The file lies on this machine and is looked into where it lies, some forty small reads for a
 * billion passwords; nobody else is asked. Without a file nothing is refused.
 *
 * @throws Refusal `identity/password-breached`
 */
export async function requireNotBreached(
  password: string,
  { breachedPasswordsFile: file = null }: Pick<PasswordSite, "breachedPasswordsFile">,
): Promise<void> {
  if (file === null) return;
  const wanted = createHash("sha1").update(password.normalize("NFKC")).digest("hex").toUpperCase();
  const handle = await open(file);
  try {
    if (await stands(handle, wanted)) throw new Refusal("identity/password-breached");
  } finally {
    await handle.close();
  }
}

/** Halves what is left of the file until the line is found, or none is left. */
async function stands(handle: FileHandle, wanted: string): Promise<boolean> {
  let low = 0;
  let high = (await handle.stat()).size;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { start, end, hash } = await lineAt(handle, middle);
    if (hash === wanted) return true;
    if (hash < wanted) low = end;
    else high = start;
  }
  return false;
}

/** The line that a byte of the file belongs to. */
async function lineAt(handle: FileHandle, at: number) {
  const from = Math.max(0, at - lineBytes);
  const { buffer, bytesRead } = await handle.read(
    Buffer.alloc(2 * lineBytes),
    0,
    2 * lineBytes,
    from,
  );
  const text = buffer.toString("latin1", 0, bytesRead);
  const begins = text.lastIndexOf("\n", at - from - 1) + 1;
  const ends = text.indexOf("\n", at - from);
  const end = ends < 0 ? text.length : ends + 1;
  return {
    start: from + begins,
    end: from + end,
    hash: text.slice(begins, begins + 40).toUpperCase(),
  };
}

/** @throws ConfigError when the file is not there, or does not begin with two such lines in their order */
export function checkBreachedPasswords(file: string | null): void {
  if (file === null) return;
  const lines = firstLines(file);
  const areSorted = lines.every((each, index) => index === 0 || (lines[index - 1] ?? "") < each);
  if (lines.length < 2 || !lines.every((each) => line.test(each)) || !areSorted) {
    throw new ConfigError(
      `BREACHED_PASSWORDS_FILE ${file} is none: it must hold SHA-1 hashes in hexadecimal, one a line, sorted.`,
    );
  }
}

function firstLines(file: string): string[] {
  const start = Buffer.alloc(16 * lineBytes);
  try {
    const opened = openSync(file, "r");
    try {
      const read = readSync(opened, start, 0, start.length, 0);
      // The last one may be cut off.
      return start.toString("latin1", 0, read).split("\n").slice(0, -1);
    } finally {
      closeSync(opened);
    }
  } catch {
    throw new ConfigError(`BREACHED_PASSWORDS_FILE ${file} is not there, or cannot be read.`);
  }
}
