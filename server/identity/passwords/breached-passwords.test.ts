import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { ConfigError } from "../../platform/config.ts";
import { checkBreachedPasswords, requireNotBreached } from "./breached-passwords.ts";

const folder = mkdtempSync(path.join(tmpdir(), "assay-breached-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const leaked = Array.from({ length: 500 }, (_, index) => `leaked password ${index}`);
const hashes = leaked
  .map((each) => createHash("sha1").update(each).digest("hex").toUpperCase())
  .sort();

function fileOf(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

const refusal = (password: string, file: string | null) =>
  requireNotBreached(password, { breachedPasswordsFile: file }).then(
    () => null,
    (error: Error) => error.message,
  );

test.each([
  [
    "as it is handed out, with counts",
    hashes.map((each, i) => `${each}:${i ** 3 + 1}`).join("\r\n"),
  ],
  ["bare, in small letters, with a last line's end", `${hashes.join("\n").toLowerCase()}\n`],
])("a file %s: whatever stands in it is refused, and nothing else", async (name, text) => {
  const file = fileOf(name.slice(0, 4), text);
  checkBreachedPasswords(file);
  const found = await Promise.all(leaked.map((each) => refusal(each, file)));
  expect(new Set(found)).toEqual(new Set(["identity/password-breached"]));
  const others = Array.from({ length: 200 }, (_, index) => refusal(`another ${index}`, file));
  expect(new Set(await Promise.all(others))).toEqual(new Set([null]));
  expect(await refusal("leaked password 1", null)).toBeNull();
});

test.each([
  ["missing", () => path.join(folder, "nowhere")],
  ["of something else", () => fileOf("else", "password\n123456\n12345678\n")],
  ["not sorted", () => fileOf("order", `${[...hashes].reverse().join("\n")}\n`)],
  ["empty", () => fileOf("empty", "")],
])("a file that is %s stops the start with one line that names it", (_, made) => {
  const check = () => checkBreachedPasswords(made());
  expect(check).toThrow(ConfigError);
  expect(check).toThrow(/^BREACHED_PASSWORDS_FILE [^\n]+$/);
});
