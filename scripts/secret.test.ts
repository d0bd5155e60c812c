import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";

const dataDir = mkdtempSync(path.join(tmpdir(), "assay-secret-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

function run(command: string, env: Record<string, string> = {}) {
  const { AUTH_SECRET: _, AUTH_SECRET_BEFORE: __, ...own } = process.env;
  // One that nobody asks here: what has no database has no secret to rotate.
  const settings = { DATA_DIR: dataDir, DATABASE_URL: "postgres://a:b@127.0.0.1:1/c" };
  const options = { encoding: "utf8", env: { ...own, ...settings, ...env } } as const;
  return spawnSync(process.execPath, ["scripts/secret.ts", command], options);
}

const file = (name: string) => path.join(dataDir, "secrets", name);

test("a new secret keeps the one before beside it, until that is forgotten; never two at once", () => {
  expect(run("new").status).toBe(0);
  const [current, before] = ["auth-secret", "auth-secret-before"].map((name) =>
    readFileSync(file(name), "utf8"),
  );
  expect(current).not.toBe(before);
  const again = run("new");
  expect(again.status).toBe(1);
  expect(again.stderr).toContain("There is a secret before this one still");
  expect(readFileSync(file("auth-secret-before"), "utf8")).toBe(before);
  expect(run("forget").status).toBe(0);
  expect(existsSync(file("auth-secret-before"))).toBe(false);
  expect(readFileSync(file("auth-secret"), "utf8")).toBe(current);
});

test("a secret of the environment is changed there: the command prints a new one and touches nothing", () => {
  const before = readFileSync(file("auth-secret"), "utf8");
  const { status, stdout } = run("new", { AUTH_SECRET: "x".repeat(40) });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^[\w-]{43}$/m);
  expect(readFileSync(file("auth-secret"), "utf8")).toBe(before);
});
