import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { generateX25519Identity } from "age-encryption";
import { afterAll, expect, test } from "vitest";
import { runInProcess } from "#tests/setup/run-in-process.ts";
import { backupCommand } from "./backup-command.ts";
import { drillCommand } from "./drill-command.ts";
import { restoreCommand } from "./restore-command.ts";

const folder = mkdtempSync(path.join(tmpdir(), "assay-restore-command-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, content: string) => {
  writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
};
const key = write("key", `# made today\n${await generateX25519Identity()}\n`);
const from = path.join(folder, "backups");
mkdirSync(from);
const DATA_DIR = path.join(folder, "data");

test.each([
  [[], "Use: npm run restore -- --identity FILE"],
  [["--identity", key, "--unknown"], "Use: npm run restore"],
  [["--identity", path.join(folder, "none"), "--from", from], "cannot be read (ENOENT)."],
  [["--identity", write("not", "AGE-SECRET-KEY-1QQQ"), "--from", from], "must hold private keys"],
  [["--identity", write("public", "age1qqq"), "--from", from], "must hold private keys of age"],
  [["--identity", key, "--from", from, "--to", "2026-11-30 10:15"], "a moment with its zone"],
  [["--identity", key, "--from", from, "--seal", "1"], "--seal takes NUMBER:HASH"],
  [["--identity", key, "--from", path.join(folder, "away")], "is not there. Is it mounted?"],
  [["--identity", key, "--from", from], `There is no backup in ${from}.`],
])("refuses %j in words, and makes nothing", async (args, says) => {
  for (const command of [restoreCommand, drillCommand]) {
    const said = await runInProcess(command, args, { DATA_DIR });
    expect(said.status).toBe(1);
    expect(said.stderr).toContain(says);
    expect(said.stderr).not.toContain("    at ");
  }
  expect(readdirSync(folder)).not.toContain("data");
});

test("restores into the embedded database alone, and backs up what is there", async () => {
  const DATABASE_URL = "postgres://a:b@127.0.0.1/c";
  const args = ["--identity", key, "--from", from];
  const said = await runInProcess(restoreCommand, args, { DATA_DIR, DATABASE_URL });
  expect(said.stderr).toContain("unset it. npm run move then takes the data there.");
  const nothing = await runInProcess(backupCommand, [], { DATA_DIR });
  expect(nothing.stderr).toBe(
    `There is no database in DATA_DIR ${DATA_DIR}. Run it with the settings of the product, once that has started.\n`,
  );
  expect((await runInProcess(backupCommand, ["now", "more"], {})).stderr).toContain("Use: npm run");
});
