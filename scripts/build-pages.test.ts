import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { aloneIn, publishBuild } from "./build-pages.ts";

const root = mkdtempSync(path.join(tmpdir(), "assay-builds-"));
afterAll(() => rmSync(root, { recursive: true }));
const at = (...names: string[]) => path.join(root, ...names);

function build(name: string, ...assets: string[]): void {
  const folder = at(".builds", name, "client", "assets");
  mkdirSync(folder, { recursive: true });
  for (const asset of assets) writeFileSync(path.join(folder, asset), name);
  writeFileSync(at(".builds", name, ".sources"), name);
  publishBuild(root, name);
}
const served = () => readdirSync(at("build", "client", "assets")).sort();

test("the assets of the build before are served beside the new ones, older ones are not, and what was under way stays", () => {
  mkdirSync(at("build"));
  writeFileSync(at("build", "left-by-an-older-version"), "");
  build("a", "a.js", "same.js");
  expect(served()).toEqual(["a.js", "same.js"]);
  expect(existsSync(at("build", "left-by-an-older-version"))).toBe(false);
  mkdirSync(at(".builds", "under-way"));
  build("b", "b.js", "same.js");
  expect(served()).toEqual(["a.js", "b.js", "same.js"]);
  expect(readFileSync(at("build", "client", "assets", "same.js"), "utf8")).toBe("b");
  build("c", "c.js");
  expect(served()).toEqual(["b.js", "c.js", "same.js"]);
  expect(readdirSync(at(".builds")).sort()).toEqual(["b", "c", "under-way"]);
});

test("a lock that a killed build left holds nobody up: of a process that is gone, of our own number, or of long ago", () => {
  const folder = at("locked");
  const lock = path.join(folder, "lock");
  mkdirSync(folder);
  const long = new Date(Date.now() - 3_600_000);
  for (const [holder, since] of [
    [2 ** 22 + 1, new Date()],
    [process.pid, new Date()],
    [process.ppid, long],
  ] as const) {
    writeFileSync(lock, String(holder));
    utimesSync(lock, since, since);
    let done = 0;
    aloneIn(folder, () => {
      done += 1;
      expect(readFileSync(lock, "utf8")).toBe(String(process.pid));
    });
    expect(done).toBe(1);
    expect(existsSync(lock)).toBe(false);
  }
});
