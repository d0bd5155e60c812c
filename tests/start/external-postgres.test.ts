import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { ensureProxies } from "../../scripts/programs/get-proxies.ts";
import { freePort } from "../setup/free-port.ts";
import { startProducts } from "../setup/started-product.ts";
import { startOperatorsServer, worksOffAJob } from "./operators-server.ts";

/** A PostgreSQL server of the operator's own, and the product on it: what docs/operating promises of both. */
const folder = mkdtempSync(path.join(tmpdir(), "assay-external-"));
const { admin, newDatabase, urlOf, stop } = await startOperatorsServer(folder);
const start = startProducts(folder);
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

test("starts by one login that owns its database and may create roles, and again", async () => {
  const bare = await newDatabase("bare");
  const refused = await start("one", { DATABASE_URL: bare });
  expect(await refused.exited).toBe(1);
  expect(refused.output.trim()).toBe(
    "bare may not create the role assay_app. As a superuser, run: alter role bare createrole;",
  );
  const url = await newDatabase("one_login", "createrole");
  const asOwner = new pg.Client({ connectionString: url });
  await asOwner.connect();
  for (const _ of ["first", "second"]) {
    const product = await start("one", { DATABASE_URL: url });
    await product.healthy();
    await worksOffAJob(url);
    expect(await product.end("SIGTERM")).toBe(0);
    // As an early version left it. An owner who is no superuser puts it in order as well.
    await asOwner.query("grant create on database one_login to assay_app");
    await asOwner.query("alter schema graphile_worker owner to assay_app");
  }
  await asOwner.end();
});

test("starts by two logins once the application's may work as assay_app, and says in one line what to grant", async () => {
  const owner = await newDatabase("two_owner", "createrole");
  await admin.query("create role two_web login password 'secret'");
  const env = { DATABASE_OWNER_URL: owner, DATABASE_URL: urlOf("two_web", "two_owner") };
  // Another database of this server has the role already.
  await refusesUntilGranted(
    env,
    "The role assay_app exists and is not for two_owner to give. As a superuser",
    admin,
  );
  const asOwner = new pg.Client({ connectionString: owner });
  await asOwner.connect();
  await refusesUntilGranted(
    env,
    "DATABASE_URL: its login may not work as assay_app. As the owner of the database",
    asOwner,
  );
  await asOwner.end();
  await (await start("two", env)).healthy();
});

test.each([
  ["refuses what a connection sets", ""],
  ["ignores what a connection sets", "ignore_startup_parameters = options"],
])(
  "refuses a pooler that %s in one line: the role and the limits would be missing",
  async (_, more) => {
    const name = more ? "pooled_silently" : "pooled";
    const url = new URL(await newDatabase(name, "createrole"));
    const port = await freePort();
    const ini = path.join(folder, `${name}.ini`);
    const lines = [
      ...["[databases]", `${name} = host=127.0.0.1 port=${url.port} user=${name} password=secret`],
      ...["[pgbouncer]", "listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir ="],
      ...["auth_type = any", "pool_mode = transaction", more],
    ];
    writeFileSync(ini, lines.join("\n"));
    chmodSync(folder, 0o755);
    const asNobody = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
    const pooler = spawn(path.join(ensureProxies(), "pgbouncer"), [...asNobody, ini]);
    let said = "";
    pooler.stderr.on("data", (text) => {
      said += text;
    });
    try {
      url.port = String(port);
      await expect.poll(() => said).toContain("process up");
      const refused = await start("pooled", { DATABASE_URL: url.toString() });
      expect(await refused.exited).toBe(1);
      expect(refused.output.trim()).toMatch(
        /^DATABASE_URL: what is there does not keep the role .*#connections\)\.$/,
      );
    } finally {
      pooler.kill("SIGKILL");
    }
  },
);

test("refuses an embedded database of another major in one line, and leaves it as it was", async () => {
  const dataDir = path.join(folder, "other-major");
  mkdirSync(path.join(dataDir, "postgres"), { recursive: true });
  const file = path.join(dataDir, "postgres", "PG_VERSION");
  execFileSync("sh", ["-c", `echo 16 > '${file}'`]);
  const refused = await start("other-major");
  expect(await refused.exited).toBe(1);
  expect(refused.output.trim()).toMatch(
    /was made by PostgreSQL 16, and this version .* brings \d+: .*$/,
  );
  expect(refused.output.trim()).not.toContain("\n");
  expect(readFileSync(file, "utf8")).toBe("16\n");
});

/** Starts, reads the one line that ends with a statement, and runs that statement. */
async function refusesUntilGranted(env: Record<string, string>, text: string, as: pg.Client) {
  const refused = await start("two", env);
  expect(await refused.exited).toBe(1);
  const [line = "", ...more] = refused.output.trim().split("\n");
  expect(more).toEqual([]);
  const [said, statement = ""] = line.split(", run: ");
  expect(said).toBe(text);
  await as.query(statement);
}
