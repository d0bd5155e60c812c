import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { runInProcess } from "#tests/setup/run-in-process.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { startEmbeddedPostgres } from "../server/platform/database/embedded-postgres.ts";
import { migrate } from "../server/platform/database/migrate.ts";
import { readInvitation } from "./operator-arguments.ts";
import { operatorCommand } from "./operator-command.ts";

const { db, owner, ownerUrl } = await testDatabase();
const dataDir = mkdtempSync(path.join(tmpdir(), "assay-operator-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const settings = { DATA_DIR: dataDir, APP_URL: "https://assay.example" };
const operator = (env: Record<string, string>, ...args: string[]) =>
  runInProcess(operatorCommand, args, { ...settings, ...env });

/** As it is typed. */
function operatorAlone(...args: string[]): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, ["scripts/operator.ts", ...args], {
    encoding: "utf8",
    env: { ...process.env, ...settings },
  });
}

const url = /https:\/\/assay\.example\/resetpassword\?token=[\w-]{43}/;

test("makes an operator by DATABASE_URL, with an audit row, and gives a fresh link when asked again", async () => {
  const env = { DATABASE_URL: ownerUrl };
  const first = await operator(env, "create", "Olga@Example.com", "Olga von Prober");
  expect(first).toMatchObject({ status: 0, stderr: "" });
  const again = await operator(env, "create", "olga@example.com", "Olga von Prober");
  expect(first.stdout).not.toContain("emergency");
  expect(again.stdout).toContain("is an operator already");
  expect(again.stdout).toContain("There was one owner already.");
  expect(again.stdout).toContain("The audit log says that it was run.");
  expect(url.exec(again.stdout)?.[0]).not.toBe(url.exec(first.stdout)?.[0]);
  const { rows } = await owner.query(`
    select u.email, u.first_name, u.last_name, o.role, a.act, a.operator_id
    from operators o join users u on u.id = o.id join audit_log a on a.id = o.created_by_act`);
  expect(rows).toEqual([
    {
      email: "olga@example.com",
      first_name: "Olga von",
      last_name: "Prober",
      role: "owner",
      act: "identity/invite-operator",
      operator_id: null,
    },
  ]);
  const acts = await owner.query("select from audit_log where act = 'identity/invite-operator'");
  expect(acts.rowCount).toBe(2);
});

test("makes no database in a folder that has none: it would be another one than the product's", async () => {
  const DATA_DIR = path.join(dataDir, "elsewhere");
  const refused = await operator({ DATA_DIR }, "create", "olga@example.com", "Olga Prober");
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain(`There is no database in DATA_DIR ${DATA_DIR}.`);
  expect(existsSync(DATA_DIR)).toBe(false);
});

test("refuses the address of a customer in one line", async () => {
  const { email } = await createTestCustomer(db);
  const refused = await operator({ DATABASE_URL: ownerUrl }, "create", email, "Olga Prober");
  expect(refused.status).toBe(1);
  expect(refused.stderr.trim().split("\n")).toEqual([
    "That e-mail address belongs to a customer. An operator needs their own.",
  ]);
});

test("works while the product runs on the data directory, and while it does not", async () => {
  const postgres = await startEmbeddedPostgres(dataDir);
  await migrate(postgres.ownerUrl);
  const beside = await operator({}, "create", "beside@example.com", "Be Side");
  await postgres.stop();
  const alone = operatorAlone("create", "alone@example.com", "Al One");
  expect(alone).toMatchObject({ status: 0, stderr: "" });
  expect(beside).toMatchObject({ status: 0, stderr: "" });
  expect(beside.stdout).toMatch(url);
});

test("says in one line that the database cannot be reached", async () => {
  const refused = await operator(
    { DATABASE_URL: "postgres://nobody:secret@127.0.0.1:1/none" },
    "create",
    "olga@example.com",
    "Olga Prober",
  );
  expect(refused.status).toBe(1);
  expect(refused.stderr.trim().split("\n")).toHaveLength(1);
  expect(refused.stderr).not.toContain("secret");
});

test("lets staff in again who lost the second factor, with a reason in the audit log", async () => {
  const env = { DATABASE_URL: ownerUrl };
  const email = "lost@example.com";
  await operator(env, "create", email, "Lo St");
  const none = await operator(env, "reset-factors", email, "Telephone lost");
  expect(none.stderr).toContain("no second factor");
  await owner.query(
    `insert into passkeys (id, user_id, name, credential_id, public_key, sign_count, created_at)
     select gen_random_uuid(), id, 'Key', 'id', 'key', 0, now() from users where email = $1`,
    [email],
  );
  const done = await operator(env, "reset-factors", email, "Telephone lost");
  expect(done).toMatchObject({ status: 0, stderr: "" });
  const { rows } = await owner.query(
    "select detail, operator_id from audit_log where act = 'identity/reset-mfa'",
  );
  expect(rows).toEqual([{ detail: { reason: "Telephone lost" }, operator_id: null }]);
  const unfrozen = await operator(env, "unfreeze", email, "False alarm");
  expect(unfrozen.stderr).toContain("not frozen");
  const unsaid = await operator(env, "unfreeze", email);
  expect(unsaid.stderr).toContain("The reason must be given");
});

test("suspends an owner without asking another one, and says what follows", async () => {
  const env = { DATABASE_URL: ownerUrl };
  await operator(env, "create", "gone@example.com", "Go Ne");
  const done = await operator(env, "suspend", "Gone@example.com", "Does not answer");
  expect(done).toMatchObject({ status: 0, stderr: "" });
  expect(done.stdout).toContain("All owners are told by mail");
  const again = await operator(env, "suspend", "gone@example.com", "Does not answer");
  expect(again).toMatchObject({ status: 1, stderr: "That operator is suspended already.\n" });
});

test.each([
  [[], 'There is no command "".'],
  [["destroy"], 'There is no command "destroy".'],
  [["create"], '"" is not an e-mail address.'],
  [["create", "olga"], '"olga" is not an e-mail address.'],
  [["create", "olga@example.com"], "The name must be given in quotation marks, first and last."],
  [
    ["create", "olga@example.com", "Olga"],
    "The name must be given in quotation marks, first and last.",
  ],
  [
    ["create", "olga@example.com", "Olga", "Prober"],
    "The name must be given in quotation marks, first and last.",
  ],
])("refuses %j: %s", (args, message) => {
  expect(readInvitation(args)).toBe(message);
});
