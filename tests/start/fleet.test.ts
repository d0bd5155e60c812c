import { execFileSync, spawnSync } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWhenNeeded } from "../../scripts/build-pages.ts";
import { type Fleet, mailsOf, type PartName, startFleet } from "../../scripts/fleet/start-fleet.ts";
import { clockAt } from "../../scripts/testing/machine.ts";
import { verifyCommand } from "../../scripts/verify-command.ts";
import type { App } from "../../server/app-context.ts";
import { openApp } from "../../server/open-app.ts";
import { readConfig } from "../../server/platform/config/read-config.ts";
import {
  postgresFolder,
  readPostmaster,
} from "../../server/platform/database/embedded-postgres.ts";
import { openLog } from "../../server/platform/log/log.ts";
import { countLostAndDoubled } from "../faults/count-doubles.ts";
import { createVisitors, loadSite, type SiteLoad, scriptsOf } from "../faults/site-load.ts";
import { letFactoriesActAsMachine } from "../setup/act-as-machine.ts";
import { copyProduct } from "../setup/copy-product.ts";
import { freePort } from "../setup/free-port.ts";
import { runBlocks } from "../setup/run-blocks.ts";
import { runInProcess } from "../setup/run-in-process.ts";
import { isLong, patienceMs, testTimeoutMs, within } from "../setup/slowness.ts";

buildWhenNeeded();
const folder = mkdtempSync(path.join(tmpdir(), "assay-fleet-"));
const env: Record<string, string> = { DATA_DIR: path.join(folder, "beside") };
/** A disk of their own for each database, that can be full. Only root makes one. */
const disks = ["database1", "database2"].map((name) => path.join(folder, name));
const hasDisks = isLong && process.getuid?.() === 0;
/** What became of the forms under each fault, where a person reads it. */
const print = (line: string) => isLong && process.stdout.write(`${line}\n`);
let fleet: Fleet;
let app: App;
let owner: pg.Pool;
let visitors: Awaited<ReturnType<typeof createVisitors>>;

/** Also where it was before. */
async function start(): Promise<void> {
  // HAProxy needs up to four seconds to believe that a product stops.
  const drain = Math.min(60, Math.ceil(within(5)));
  const wanted = { DEPOSIT_SLIPS: "always", LOG_LEVEL: "warn", DRAIN_SECONDS: String(drain) };
  fleet = await startFleet(folder, { port: await freePort(), env: wanted });
  const { DATABASE_URL: url = "", DATABASE_OWNER_URL: ownerUrl = "" } = fleet.settings;
  Object.assign(env, fleet.settings);
  app = openApp(readConfig(env), openLog("silent"), url);
  owner = new pg.Pool({ connectionString: ownerUrl, max: 1 });
  owner.on("error", () => {});
}

/** One customer does in a minute what many do in a day. */
const liftLimits = () =>
  owner.query(
    `create or replace function count_attempts(keys bytea[], maxima int[], minutes int[], at timestamptz)
     returns table (window_ends_at timestamptz, which int, so_far int) language plpgsql as $$ begin return; end $$`,
  );

async function stop(): Promise<void> {
  // Also where a start after a stop has failed.
  for (const pool of [app?.db.$client, owner]) if (pool && !pool.ended) await pool.end();
  await fleet?.stop();
}

beforeAll(async () => {
  for (const disk of hasDisks ? disks : []) {
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2g", "tmpfs", disk]);
  }
  await start();
  await letFactoriesActAsMachine(fleet.settings["DATABASE_OWNER_URL"] ?? "");
  await liftLimits();
  visitors = await createVisitors(app, isLong ? 400 : 20);
});
afterAll(async () => {
  await stop();
  if (hasDisks) execFileSync("umount", disks);
  rmSync(folder, { recursive: true, force: true });
});

const acknowledged: SiteLoad["acknowledged"] = [];

/**
 * Lets something happen while people use the site; before and after it their forms are answered. Then everything that was ever
 * acknowledged is there once.
 */
async function under(
  what: string,
  fault: (answered: () => Promise<void>) => Promise<void>,
): Promise<SiteLoad> {
  const load = loadSite(app, visitors, isLong ? 4 : 2);
  const answered = async () => {
    const { length } = load.acknowledged;
    const more = () => load.faults.length > 0 || load.acknowledged.length - length >= 12;
    await expect.poll(more).toBe(true);
  };
  try {
    await answered();
    await fault(answered);
    await answered();
  } finally {
    await load.stop();
  }
  acknowledged.push(...load.acknowledged);
  expect(load.faults).toEqual([]);
  const outcome = await countLostAndDoubled(owner, acknowledged);
  const failed = [...load.failed].map(([said, times]) => `${times} x ${said}`).join(", ") || "none";
  const longest = (load.longestMs / 1_000).toFixed(1);
  print(
    `${what}: ${load.acknowledged.length} forms acknowledged, ${JSON.stringify(outcome)}; failed: ${failed}; longest until answered: ${longest} s`,
  );
  expect(outcome).toEqual({ lost: 0, doubled: 0, astray: 0 });
  return load;
}

/** The journal and every file; what the application may not change is whole, and what was handed in is there. */
async function expectSound(): Promise<void> {
  const { status, stdout, stderr } = await runInProcess(verifyCommand, ["ledger"], env);
  expect(status, stdout + stderr).toBe(0);
  const { rows } = await owner.query<{ key: string }>(
    // Of those that customers begin with there is no file.
    "select s.file_key as key from deposit_slips s join deposits d on d.slip_id = s.id where d.claimed_usd_cents = 10000",
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { key } of rows) expect(await app.files.get(key), key).not.toBeNull();
}

test("the standby takes the primary's place under load: nothing that was acknowledged is lost or doubled", async () => {
  await under("promoted", () => fleet.databases.promote());
  await expectSound();
});

test("what is lost or there twice is found", async () => {
  const [first] = acknowledged;
  if (!first) throw new Error("something was acknowledged");
  const invented = { ...first, key: randomUUID() };
  const outcome = (forms: typeof acknowledged) => countLostAndDoubled(owner, forms);
  expect(await outcome([...acknowledged, invented])).toMatchObject({ lost: 1, astray: 1 });
  expect(await outcome(acknowledged.slice(1))).toMatchObject({ lost: 0, doubled: 1 });
});

test("each product is replaced under load, and no request fails", async () => {
  const load = await under("rolled", () => fleet.roll());
  expect(load.failed).toEqual(new Map());
});

/** Another version: its pages have scripts of their own, and it brings a column to a table that is in use. */
async function rollToAnotherAndBack(): Promise<void> {
  const next = path.join(folder, "next");
  copyProduct(next);
  const root = path.join(next, "app/root.tsx");
  const changed = readFileSync(root, "utf8").replace('<html lang="en"', '$& data-version="next"');
  writeFileSync(root, changed);
  appendFileSync(path.join(next, "app/entry.client.tsx"), "console.debug('next');\n");
  mkdirSync(path.join(next, "database/migrations"));
  writeFileSync(
    path.join(next, "database/migrations/0001-add-next.sql"),
    "-- breaks: nothing\nalter table withdrawals add column next text;\n",
  );
  const front = async () => {
    const headers = { cookie: visitors[0]?.cookie ?? "", accept: "text/html" };
    const page = await (await fetch(`${fleet.url}/account`, { headers })).text();
    const scripts: string[] = page.match(scriptsOf) ?? [];
    return { isNext: page.includes('data-version="next"'), scripts };
  };
  const before = await front();
  const load = await under("another version, and back", async (answered) => {
    const page = readFileSync("docs/operating/web-and-worker.md", "utf8");
    const here = page.replaceAll("/srv/assay/before", process.cwd());
    await runBlocks(here, "## A new version without a pause", next, fleet.settings);
    // All functions were applied again.
    await liftLimits();
    await answered();
    await fleet.roll(next);
    const after = await front();
    expect([before.isNext, after.isNext]).toEqual([false, true]);
    expect(after.scripts.some((script) => !before.scripts.includes(script))).toBe(true);
    // Pages that are still open.
    for (const script of before.scripts)
      expect((await fetch(`${fleet.url}${script}`)).status, script).toBe(200);
    await answered();
    await fleet.roll();
    expect(await front()).toEqual(before);
  });
  expect(load.failed).toEqual(new Map());
  await expectSound();
}
if (isLong)
  test(
    "another version takes this one's place under load, with a migration, and gives it back: no request fails, no page is without its scripts",
    rollToAnotherAndBack,
    5 * testTimeoutMs,
  );

const names = [
  ...(["web1", "web2", "worker1", "worker2", "proxy", "database-proxy", "store", "mail"] as const),
  ...(["database1", "database2"] as const),
];
/** One process each: of a database what keeps PostgreSQL running, and PostgreSQL itself. */
const kills = [
  ...names.map((name) => () => fleet.part(name).signal("SIGKILL")),
  () => fleet.databases.kill(fleet.databases.primary),
  () => fleet.databases.kill(fleet.databases.standby),
];
const postmasters = () =>
  fleet.databases.servers.map(({ dataDir }) => readPostmaster(postgresFolder(dataDir))?.pid);

test("whatever is killed comes again", async () => {
  const starts = () => names.map((name) => fleet.part(name).starts);
  const [before, running] = [starts(), postmasters()];
  await under("each killed once", async () => {
    for (const kill of kills) {
      await kill();
      await wait(isLong ? 5_000 : 700);
    }
  });
  await fleet.ready();
  expect(starts().every((times, nth) => times > (before[nth] ?? 0))).toBe(true);
  expect(postmasters().filter((pid) => !pid || running.includes(pid))).toEqual([]);
  await expectSound();
});

test("Prometheus asks each product, and can work out every rule", async () => {
  const ask = async (what: string) =>
    ((await (await fetch(`${fleet.prometheusUrl}/api/v1/${what}`)).json()) as { data: unknown })
      .data;
  const targets = async () => {
    const { activeTargets } = (await ask("targets")) as { activeTargets: { health: string }[] };
    return activeTargets.map(({ health }) => health);
  };
  await expect.poll(targets).toEqual(["up", "up", "up", "up"]);
  const rules = async () => {
    const { groups } = (await ask("rules")) as { groups: { rules: { health: string }[] }[] };
    return [...new Set(groups.flatMap((group) => group.rules.map(({ health }) => health)))];
  };
  await expect.poll(rules).toEqual(["ok"]);
});

test("the commands of the page work beside it", async () => {
  const page = readFileSync("docs/operating/several-machines.md", "utf8");
  await runBlocks(page, "### Beside it", process.cwd(), { FLEET_DIR: folder });
});

test("the books are verified on the standby, and a product that is led to it does not start", async () => {
  const { standby } = fleet.databases;
  const url = (login: Parameters<typeof fleet.databases.url>[1]) =>
    fleet.databases.url(standby.port, login);
  const its = {
    ...env,
    DATABASE_URL: url("postgres-application"),
    DATABASE_OWNER_URL: url("postgres-owner"),
  };
  for (const subject of ["ledger", "mining", "audit"]) {
    const reader = { ...env, DATABASE_URL: its.DATABASE_URL };
    const { status, stdout, stderr } = await runInProcess(verifyCommand, [subject], reader);
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toContain("ok ");
  }
  const { status, stderr } = spawnSync(process.execPath, ["scripts/start.ts"], {
    encoding: "utf8",
    timeout: patienceMs,
    env: { ...process.env, ...its, ROLE: "web", PORT: String(await freePort()) },
  });
  expect({ status, stderr: stderr.trim() }).toEqual({
    status: 1,
    stderr:
      "DATABASE_URL or DATABASE_OWNER_URL: this server takes no changes, as a standby does. Name the primary.",
  });
});

async function startAgain(): Promise<void> {
  const { primary, standby } = fleet.databases;
  await stop();
  renameSync(postgresFolder(primary.dataDir), path.join(primary.dataDir, "before"));
  await start();
  expect(fleet.databases.primary.dataDir).toBe(standby.dataDir);
  await under("started again", async () => {});
  await expectSound();
}
const interrupted = "a promotion that was interrupted when nobody was the primary any more";
if (isLong) test(`it goes on where it was, also after ${interrupted}`, startAgain);

/** Is away for half a minute. */
async function without(name: PartName): Promise<void> {
  await fleet.part(name).end("SIGKILL");
  await wait(30_000);
  fleet.part(name).start();
  await fleet.part(name).ready();
}

const faults: Record<string, Parameters<typeof under>[1]> = {
  "anything is killed, every five seconds for ten minutes": async () => {
    for (let nth = 0; nth < 120; nth += 1) {
      await kills[randomInt(kills.length)]?.();
      await wait(5_000);
    }
  },
  "the standby takes the primary's place, and three times back and forth": async (answered) => {
    for (let nth = 0; nth < 6; nth += 1) {
      await fleet.databases.promote();
      await answered();
    }
  },
  "what goes to the database is swallowed for 30 s": async () => {
    fleet.part("database-proxy").signal("SIGSTOP");
    await wait(30_000);
    fleet.part("database-proxy").signal("SIGCONT");
  },
  "the database is away for 30 s": () => without("database-proxy"),
  "the standby is away for 30 s": async () => {
    const { standby } = fleet.databases;
    await standby.part.end();
    await wait(30_000);
    standby.part.start();
    await standby.part.ready();
  },
  "the file store is away for 30 s": () => without("store"),
  "the mail server is away for 30 s": () => without("mail"),
  "the clock of one machine is three minutes off": async () => {
    const restart = async (more: NodeJS.ProcessEnv) => {
      for (const name of ["web2", "worker2"] as const) {
        await fleet.part(name).end();
        fleet.part(name).start({ env: more as Record<string, string> });
        await fleet.part(name).ready();
      }
    };
    // A run at another moment has an offset of its own, in seconds.
    const { LD_PRELOAD = "", FAKETIME = "+0" } = process.env;
    await restart({ ...clockAt(Date.now()), FAKETIME: `+${Number(FAKETIME) + 180}` });
    await wait(60_000);
    await restart({ LD_PRELOAD, FAKETIME });
  },
  ...(hasDisks && {
    "the disk of the database is full for 30 s": async () => {
      const ballast = path.join(fleet.databases.primary.dataDir, "ballast");
      spawnSync("dd", ["if=/dev/zero", `of=${ballast}`, "bs=64k"]);
      await wait(30_000);
      rmSync(ballast);
    },
  }),
};

if (isLong)
  test.each(Object.entries(faults))(
    "%s",
    async (what, fault) => {
      await under(what, fault);
      await fleet.ready();
      await expectSound();
    },
    5 * testTimeoutMs,
  );

/** What a killed worker had begun comes back to the others after a while. */
async function everyMailHasLeft(): Promise<void> {
  const states = async () => {
    const { rows } = await owner.query(
      "select state, count(*)::int as mails from mails group by 1",
    );
    return rows.map(({ state }) => state);
  };
  await expect.poll(states, { timeout: 10 * patienceMs, interval: 500 }).toEqual(["sent"]);
  const { rows } = await owner.query<{ id: string }>("select id from mails");
  const files = readdirSync(mailsOf(folder)).map((name) => /[0-9a-f]{32}/.exec(name)?.[0]);
  const received = new Set(files);
  expect(rows.filter(({ id }) => !received.has(id.replaceAll("-", "")))).toEqual([]);
  print(`${received.size} mails, ${files.length - received.size} of them twice`);
}
if (isLong) test("every mail has left, whatever was away", everyMailHasLeft, 5 * testTimeoutMs);
