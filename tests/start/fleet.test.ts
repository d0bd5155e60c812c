import { execFileSync, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { buildWhenNeeded } from "../../scripts/build-pages.ts";
import { mailsOf, type PartName, startFleet } from "../../scripts/fleet/start-fleet.ts";
import { clockAt } from "../../scripts/testing/machine.ts";
import { verifyCommand } from "../../scripts/verify-command.ts";
import { openApp } from "../../server/open-app.ts";
import { readConfig } from "../../server/platform/config/read-config.ts";
import { openLog } from "../../server/platform/log/log.ts";
import { countLostAndDoubled } from "../faults/count-doubles.ts";
import { createVisitors, loadSite, type SiteLoad } from "../faults/site-load.ts";
import { letFactoriesActAsMachine } from "../setup/act-as-machine.ts";
import { freePort } from "../setup/free-port.ts";
import { runBlocks } from "../setup/run-blocks.ts";
import { runInProcess } from "../setup/run-in-process.ts";
import { isLong, patienceMs } from "../setup/slowness.ts";

buildWhenNeeded();
const folder = mkdtempSync(path.join(tmpdir(), "assay-fleet-"));
// A disk of their own for each, that can be full.
const disks = ["database1", "database2"].map((name) => path.join(folder, name));
for (const disk of isLong ? disks : []) {
  mkdirSync(disk);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=2g", "tmpfs", disk]);
}
const fleet = await startFleet(folder, {
  port: await freePort(),
  env: { DEPOSIT_SLIPS: "always", LOG_LEVEL: "warn" },
});
const ownerUrl = fleet.settings["DATABASE_OWNER_URL"] ?? "";
await letFactoriesActAsMachine(ownerUrl);
const env = { ...fleet.settings, DATA_DIR: path.join(folder, "beside") };
const app = openApp(readConfig(env), openLog("silent"), fleet.settings["DATABASE_URL"] ?? "");
const owner = new pg.Pool({ connectionString: ownerUrl, max: 1 });
owner.on("error", () => {});
// One customer does in a minute what many do in a day.
await owner.query(
  `create or replace function count_attempts(keys bytea[], maxima int[], minutes int[], at timestamptz)
   returns table (window_ends_at timestamptz, which int, so_far int) language plpgsql as $$ begin return; end $$`,
);
/** What became of the forms under each fault, where a person reads it. */
const print = (line: string) => isLong && process.stdout.write(`${line}\n`);
afterAll(async () => {
  await Promise.all([app.db.$client.end(), owner.end()]);
  await fleet.stop();
  if (isLong) execFileSync("umount", disks);
  rmSync(folder, { recursive: true, force: true });
});

const visitors = await createVisitors(app, isLong ? 100 : 20);

const acknowledged: SiteLoad["acknowledged"] = [];

/**
 * Lets something happen while people use the site; before and after it their forms are answered. Then everything that was ever
 * acknowledged is there once.
 */
async function under(what: string, fault: () => Promise<void>): Promise<SiteLoad> {
  const load = loadSite(app, visitors, 4);
  const answered = async () => {
    const { length } = load.acknowledged;
    const more = () => load.faults[0] ?? load.acknowledged.length - length >= 12;
    await expect.poll(more).toBe(true);
  };
  await answered();
  await fault();
  await answered();
  await load.stop();
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
    "select file_key as key from deposit_slips where submitted_at is not null and byte_size > 1",
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { key } of rows) expect(await app.files.get(key), key).not.toBeNull();
}

test("the standby takes the primary's place under load: nothing that was acknowledged is lost or doubled", async () => {
  await under("promoted", () => fleet.databases.promote());
  await expectSound();
});

test("each product is replaced under load, and no request fails", async () => {
  const load = await under("rolled", () => fleet.roll());
  expect(load.failed).toEqual(new Map());
});

const names = [
  "web1",
  "web2",
  "worker1",
  "worker2",
  "proxy",
  "database-proxy",
  "store",
  "mail",
] as const;
const { databases } = fleet;
/** One process each: what keeps PostgreSQL running, and PostgreSQL itself. */
const kills = [
  ...names.map((name) => () => fleet.part(name).signal("SIGKILL")),
  () => databases.primary.part.signal("SIGKILL"),
  () => databases.standby.part.signal("SIGKILL"),
  () => databases.kill(databases.primary),
  () => databases.kill(databases.standby),
];

test("whatever is killed comes again", async () => {
  await under("each killed once", async () => {
    for (const kill of kills) {
      kill();
      await wait(isLong ? 5_000 : 700);
    }
  });
  await fleet.ready();
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

test("the commands of the page work beside it", () => {
  const page = readFileSync("docs/operating/several-machines.md", "utf8");
  runBlocks(page, "### Beside it", process.cwd(), { FLEET_DIR: folder });
});

/** Is away for half a minute. */
async function without(name: PartName): Promise<void> {
  await fleet.part(name).end("SIGKILL");
  await wait(30_000);
  fleet.part(name).start();
  await fleet.part(name).ready();
}

const faults: Record<string, () => Promise<void>> = {
  "anything is killed, every five seconds for ten minutes": async () => {
    for (let nth = 0; nth < 120; nth += 1) {
      kills[randomInt(kills.length)]?.();
      await wait(5_000);
    }
  },
  "the standby takes the primary's place, and three times back and forth": async () => {
    for (let nth = 0; nth < 6; nth += 1) await databases.promote();
  },
  "what goes to the database is swallowed for 30 s": async () => {
    fleet.part("database-proxy").signal("SIGSTOP");
    await wait(30_000);
    fleet.part("database-proxy").signal("SIGCONT");
  },
  "the database is away for 30 s": () => without("database-proxy"),
  "the standby is away for 30 s": () => without(databases.standby.part.name as PartName),
  "the file store is away for 30 s": () => without("store"),
  "the mail server is away for 30 s": () => without("mail"),
  "the clock of one machine is three minutes off": async () => {
    const restart = async (env: NodeJS.ProcessEnv) => {
      for (const name of ["web2", "worker2"] as const) {
        await fleet.part(name).end();
        fleet.part(name).start(env as Record<string, string>);
        await fleet.part(name).ready();
      }
    };
    await restart(clockAt(Date.now() + 180_000));
    await wait(60_000);
    await restart({ LD_PRELOAD: "" });
  },
  "the disk of the database is full for 30 s": async () => {
    const ballast = path.join(databases.primary.dataDir, "ballast");
    spawnSync("dd", ["if=/dev/zero", `of=${ballast}`, "bs=64k"]);
    await wait(30_000);
    rmSync(ballast);
  },
};

if (isLong)
  test.each(Object.entries(faults))("%s", async (what, fault) => {
    await under(what, fault);
    await fleet.ready();
    await expectSound();
  });

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
if (isLong) test("every mail has left, whatever was away", everyMailHasLeft);
