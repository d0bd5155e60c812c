import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(path.join(tmpdir(), "assay-run-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (file: string, text: string) => {
  const place = path.join(folder, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text, { mode: 0o755 });
};
const platform = `${process.platform}-${process.arch}`;
const node = `node_modules/node-${platform === "darwin-arm64" ? `bin-${platform}` : platform}/bin/node`;

/** What a start prints in a folder with these packages: an npm and a pinned Node of the test's own say that they were called. */
function start(locked: object, installed: object): string {
  write("package-lock.json", JSON.stringify({ packages: locked }));
  write("node_modules/.package-lock.json", JSON.stringify({ packages: installed }));
  const { stdout, stderr } = spawnSync(process.execPath, ["scripts/run.mjs", "start"], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: `${path.join(folder, "bin")}${path.delimiter}${process.env["PATH"]}` },
  });
  return stdout + stderr;
}

mkdirSync(path.join(folder, "scripts"));
copyFileSync("scripts/run.mjs", path.join(folder, "scripts/run.mjs"));
write("scripts/start.ts", "");
write("bin/npm", "#!/bin/sh\necho npm $1\n");
write(node, "#!/bin/sh\necho pinned\n");
const lock = {
  "": {},
  "node_modules/needed": { version: "1.0.0" },
  "node_modules/of-tests": { version: "1.0.0", dev: true },
  [path.dirname(path.dirname(node))]: { version: "26.1.0", optional: true },
  "node_modules/of-another": { version: "26.1.0", optional: true },
};

test("starts at once by the pinned Node where the lockfile's packages are there, those of other machines aside", () => {
  const { "node_modules/of-another": _, "node_modules/of-tests": __, ...found } = lock;
  expect(start(lock, found)).toBe("pinned\n");
  // What tests need is theirs, whatever its version.
  expect(start(lock, { ...lock, "node_modules/of-tests": { version: "0.9.0" } })).toBe("pinned\n");
});

test.each([
  ["one is missing", { ...lock, "node_modules/needed": undefined }],
  ["one is of another version", { ...lock, "node_modules/needed": { version: "0.9.0" } }],
  [
    "one of this machine's is of another version, as a Node before",
    { ...lock, [path.dirname(path.dirname(node))]: { version: "26.0.0" } },
  ],
])("installs first where %s", (_, found) => {
  const said = start(lock, found);
  expect(said).toContain("npm ci");
  expect(said.trim().endsWith("pinned")).toBe(true);
});

test("says which Node is missing where npm left it out", () => {
  rmSync(path.join(folder, node));
  const said = start(lock, lock);
  expect(said).toContain(`the Node that this version needs: ${path.join(folder, node)} is missing`);
  expect(said).not.toContain("pinned\n");
});

test("says so where the lockfile has no Node for this machine", () => {
  const said = start({ "": {} }, { "": {} });
  expect(said).toBe(`There is no Node for ${platform} in package-lock.json.\n`);
});
