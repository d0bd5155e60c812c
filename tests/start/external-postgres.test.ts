import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, expect, test } from "vitest";
import { buildWhenNeeded } from "../../scripts/build.ts";
import {
  findRunningEmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../server/platform/database/embedded-postgres.ts";
import { freePort } from "../setup/free-port.ts";
import { runBlocks } from "../setup/run-blocks.ts";

/** A PostgreSQL server of the operator's own, and the product on it: what docs/operating promises of both. */

buildWhenNeeded();
const folder = mkdtempSync(path.join(tmpdir(), "assay-external-"));
const server = await startEmbeddedPostgres(path.join(folder, "server"));
const admin = new pg.Client({ connectionString: server.ownerUrl });
await admin.connect();
// An operator's own server has no role of ours before the first start.
await admin.query("drop owned by assay_login, assay_app");
await admin.query("drop role assay_login, assay_app");
const running: ChildProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) await ended(child, "SIGTERM");
});
afterAll(async () => {
  await admin.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("starts by one login that owns its database and may create roles, and again", async () => {
  const bare = await newDatabase("bare");
  const refused = await start({ DATABASE_URL: bare }, "one");
  expect(await refused.exited).toBe(1);
  expect(refused.output().trim()).toBe(
    "bare may not create the role assay_app. As a superuser, run: alter role bare createrole;",
  );
  const url = await newDatabase("one_login", "createrole");
  const asOwner = new pg.Client({ connectionString: url });
  await asOwner.connect();
  for (const _ of ["first", "second"]) {
    const product = await start({ DATABASE_URL: url }, "one");
    await product.ready();
    await worksOffAJob("one_login");
    expect(await ended(product.child, "SIGTERM")).toBe(0);
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
  await (await start(env, "two")).ready();
});

test("refuses an embedded database of another major in one line, and leaves it as it was", async () => {
  const dataDir = path.join(folder, "other-major");
  mkdirSync(path.join(dataDir, "postgres"), { recursive: true });
  const file = path.join(dataDir, "postgres", "PG_VERSION");
  execFileSync("sh", ["-c", `echo 16 > '${file}'`]);
  const refused = await start({}, "other-major");
  expect(await refused.exited).toBe(1);
  expect(refused.output().trim()).toMatch(
    /was made by PostgreSQL 16, and this version .* brings \d+: .*$/,
  );
  expect(refused.output().trim()).not.toContain("\n");
  expect(readFileSync(file, "utf8")).toBe("16\n");
});

test("is dumped while it runs and restored word for word as the page says, starts, works and verifies", async () => {
  const page = readFileSync("docs/operating/backup-and-restore.md", "utf8");
  const demo = await start({}, "demo", "demo");
  await demo.says("password of all");
  const source = findRunningEmbeddedPostgres(path.join(folder, "demo"));
  const work = path.join(folder, "backup");
  mkdirSync(work);

  runBlocks(page, "### Dump", work, {
    DATABASE_OWNER_URL: source?.ownerUrl ?? "",
    DATA_DIR: path.join(folder, "demo"),
  });
  const target = await newDatabase("restored", "createrole");
  await admin.query("grant assay_app to restored with admin option");
  const env = { DATABASE_URL: target, DEMO: "1", BITCOIN_NETWORK_SOURCE: "off" };
  mkdirSync(path.join(folder, "restored"));
  runBlocks(page, "### Restore the dump", work, {
    NEW_OWNER_URL: target,
    OWNER: "restored",
    DATA_DIR: path.join(folder, "restored"),
  });
  await ended(demo.child, "SIGTERM");

  expect(filesBelow(path.join(folder, "restored", "files"))).toEqual(
    filesBelow(path.join(folder, "demo", "files")),
  );
  const restored = await start(env, "restored");
  await restored.ready();
  await worksOffAJob("restored");
  for (const subject of ["journal", "mining", "audit"])
    expect(verify(subject, { ...env, DATA_DIR: path.join(folder, "restored") })).not.toContain(
      "WRONG",
    );
}, 180_000);

test("is copied while it is stopped, word for word as the page says, starts and verifies", async () => {
  const page = readFileSync("docs/operating/backup-and-restore.md", "utf8");
  const work = path.join(folder, "copy");
  mkdirSync(work);
  const first = await start({}, "stopped");
  await first.ready();
  await ended(first.child, "SIGTERM");
  runBlocks(page, "### Copy", work, { DATA_DIR: path.join(folder, "stopped") });
  const again = path.join(folder, "again");
  mkdirSync(again);
  runBlocks(page, "### Put the copy back", work, { DATA_DIR: again });
  await (await start({}, "again")).ready();
  expect(verify("journal", { DATA_DIR: again })).not.toContain("WRONG");
}, 120_000);

/** Starts, reads the one line that ends with a statement, and runs that statement. */
async function refusesUntilGranted(env: Record<string, string>, words: string, as: pg.Client) {
  const refused = await start(env, "two");
  expect(await refused.exited).toBe(1);
  const [line = "", ...more] = refused.output().trim().split("\n");
  expect(more).toEqual([]);
  const [said, statement = ""] = line.split(", run: ");
  expect(said).toBe(words);
  await as.query(statement);
}

/** A database of its own and a login that owns it; returns its address. */
async function newDatabase(name: string, ...rights: string[]): Promise<string> {
  await admin.query(`create role ${name} login password 'secret' ${rights.join(" ")}`);
  await admin.query(`create database ${name} owner ${name}`);
  return urlOf(name, name);
}

function urlOf(login: string, database: string): string {
  const url = new URL(server.ownerUrl);
  url.username = login;
  url.password = "secret";
  url.pathname = `/${database}`;
  return url.toString();
}

async function start(env: Record<string, string>, dataDir: string, script = "start") {
  const port = await freePort();
  const child = spawn(process.execPath, [`scripts/${script}.ts`], {
    env: {
      ...process.env,
      DATA_DIR: path.join(folder, dataDir),
      PORT: String(port),
      LOG_LEVEL: "error",
      PRICE_SOURCES: "off",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const until = async (holds: () => Promise<boolean>) => {
    const deadline = Date.now() + 90_000;
    while (!(await holds())) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(output);
      await wait(50);
    }
  };
  return {
    child,
    exited,
    output: () => output,
    says: (words: string) => until(async () => output.includes(words)),
    ready: () =>
      until(async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
        return answer?.ok === true;
      }),
  };
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill(signal);
  });
}

/** Gives the restored product's worker a job, as the application would, and waits until it is done. */
async function worksOffAJob(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(database, database) });
  await client.connect();
  try {
    await client.query("set role assay_app");
    const { rows } = await client.query(
      "select id::text from graphile_worker.add_job('identity/sweep-ended')",
    );
    const left = () => client.query("select from graphile_worker.jobs where id = $1", [rows[0].id]);
    await expect.poll(async () => (await left()).rowCount, { timeout: 20_000 }).toBe(0);
  } finally {
    await client.end();
  }
}

function verify(subject: string, env: Record<string, string>): string {
  return execFileSync(process.execPath, ["scripts/verify.ts", subject], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
}

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
}
