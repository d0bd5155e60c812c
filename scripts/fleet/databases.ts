import { existsSync } from "node:fs";
import { appendFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { through } from "../../server/backups/backup-folder.ts";
import { readBase } from "../../server/backups/read-base.ts";
import { unpackTar } from "../../server/backups/restore-backup.ts";
import { secretInDataDir } from "../../server/platform/config/secrets.ts";
import { ConfigError } from "../../server/platform/config.ts";
import {
  giveToPostgres,
  postgresFolder,
  readPostmaster,
} from "../../server/platform/database/embedded-postgres.ts";
import { Part } from "./part.ts";

const secrets = ["postgres-owner", "postgres-application"] as const;

/** One of the two PostgreSQL servers of a fleet. */
export interface Server {
  part: Part;
  dataDir: string;
  port: number;
  checkPort: number;
}

/** A primary and a standby that has each commit before it is acknowledged. */
export class Databases {
  readonly servers: readonly [Server, Server];

  constructor(servers: readonly [Server, Server]) {
    this.servers = servers;
    const [first, second] = servers;
    for (const name of secrets)
      secretInDataDir(second.dataDir, name, () => secretInDataDir(first.dataDir, name));
  }

  static server(
    name: string,
    { folder, port, checkPort }: { folder: string; port: number; checkPort: number },
  ): Server {
    const dataDir = path.join(folder, name);
    const script = path.join(import.meta.dirname, "database.ts");
    const part = new Part({
      name,
      command: process.execPath,
      args: [script, dataDir, String(port), String(checkPort)],
      log: path.join(folder, "logs", `${name}.log`),
      isReady: () => isInRecovery(urlOf({ dataDir, port }, "postgres-owner")).then(() => true),
    });
    return { part, dataDir, port, checkPort };
  }

  /** The address at a port, through which the primary is reached, by either login. */
  url(port: number, login: (typeof secrets)[number]): string {
    return urlOf({ dataDir: this.servers[0].dataDir, port }, login);
  }

  /** Whether the primary is reached at a port. */
  async isReachedAt(port: number): Promise<boolean> {
    return !(await isInRecovery(this.url(port, "postgres-owner")));
  }

  /** By their files: one that has none was to become the other's copy, and PostgreSQL is a standby where it finds its signal. */
  get primary(): Server {
    const [first, second] = this.servers;
    return isThere(second) && (!isThere(first) || isStandby(first)) ? second : first;
  }

  get standby(): Server {
    const [first, second] = this.servers;
    return this.primary === first ? second : first;
  }

  async start(): Promise<void> {
    const { primary, standby } = this;
    if (isThere(standby) && !isStandby(standby))
      throw new ConfigError(
        `Both ${primary.dataDir} and ${standby.dataDir} are a primary's: remove the one that is behind.`,
      );
    primary.part.start();
    await primary.part.ready();
    // Its place was already empty when whoever promoted it was interrupted.
    if (isStandby(primary)) await promote(primary);
    for (const each of this.servers) await removeBefore(each);
    // In force once there is a standby, which reads it, too: its own first words wait for nobody.
    await ask(primary, "alter system set synchronous_standby_names = '*'");
    if (isThere(standby)) await this.#follow(standby, primary);
    else await this.#rebuild(standby, primary);
    await ask(primary, "select pg_reload_conf()");
    await this.untilSynchronous();
  }

  /** The standby has what the primary has, and the primary waits for it. */
  async untilSynchronous(withinMs = 120_000): Promise<void> {
    const { primary } = this;
    const deadline = performance.now() + withinMs;
    while (!(await isSynchronous(primary).catch(() => false))) {
      if (performance.now() > deadline) throw new Error("the standby does not follow");
      await wait(100);
    }
  }

  /**
   * The primary is gone without a word, for good, and the standby takes its place; the one that is gone comes again as its standby.
   *
   * @throws Error where the standby is behind: what was acknowledged since would be lost
   */
  async promote(): Promise<void> {
    const { primary, standby } = this;
    await this.untilSynchronous(10_000).catch(() => {
      throw new ConfigError(
        "The primary does not say that the standby has everything: acknowledged work could be lost with it in the primary's place.",
      );
    });
    await removeBefore(primary);
    // Whoever starts it again first.
    await primary.part.end("SIGKILL");
    await this.kill(primary);
    // From here on it is the other one's place, whatever interrupts us: `start` goes on from there.
    await rename(postgresFolder(primary.dataDir), pathOfBefore(primary));
    await promote(standby);
    await removeBefore(primary);
    await this.#rebuild(primary, standby);
    await this.untilSynchronous();
  }

  /** Its postmaster, without a word: it is started again. @returns its process id; null where there was none */
  async kill({ dataDir }: Server): Promise<number | null> {
    const folder = postgresFolder(dataDir);
    const running = readPostmaster(folder);
    if (!running) return null;
    process.kill(running.pid, "SIGKILL");
    while (readPostmaster(folder)?.pid === running.pid) await wait(20);
    return running.pid;
  }

  /** A copy of the other one, that follows it. */
  async #rebuild(server: Server, other: Server): Promise<void> {
    const aside = path.join(server.dataDir, "copied");
    await rm(aside, { recursive: true, force: true });
    const base = await readBase(urlOf(other, "postgres-owner"));
    await unpackTar(aside, (sink) => through([base, sink]));
    await writeFile(path.join(aside, "standby.signal"), "");
    await giveToPostgres(server.dataDir, [aside]);
    await rename(aside, postgresFolder(server.dataDir));
    await this.#follow(server, other);
  }

  /** Starts a standby behind the other one, wherever that listens now. */
  async #follow(server: Server, other: Server): Promise<void> {
    const { hostname, port, username, password } = new URL(urlOf(other, "postgres-owner"));
    const follows = `host=${hostname} port=${port} user=${username} password=${password}`;
    // The last line wins.
    await appendFile(
      path.join(postgresFolder(server.dataDir), "postgresql.auto.conf"),
      `primary_conninfo = '${follows}'\n`,
    );
    server.part.start();
    await server.part.ready();
  }
}

/** Where a primary's files are while the other one takes its place. */
function pathOfBefore({ dataDir }: Server): string {
  return path.join(dataDir, "before");
}

/** What its last processes still have open ends with them. */
function removeBefore(server: Server): Promise<void> {
  return rm(pathOfBefore(server), { recursive: true, force: true, maxRetries: 50 });
}

function isThere({ dataDir }: Server): boolean {
  return existsSync(path.join(postgresFolder(dataDir), "PG_VERSION"));
}

function isStandby({ dataDir }: Server): boolean {
  return existsSync(path.join(postgresFolder(dataDir), "standby.signal"));
}

/** Asked again and again: it may have been killed, too, and starts. */
async function promote(standby: Server): Promise<void> {
  const deadline = performance.now() + 120_000;
  const url = urlOf(standby, "postgres-owner");
  while (await isInRecovery(url).catch(() => true)) {
    if (performance.now() > deadline)
      throw new ConfigError(
        `${standby.part.name} does not become the primary: start the fleet again.`,
      );
    await ask(standby, "select pg_promote(false)").catch(() => {});
    await wait(100);
  }
}

function urlOf(
  { dataDir, port }: Pick<Server, "dataDir" | "port">,
  login: (typeof secrets)[number],
) {
  const user = login === "postgres-owner" ? "assay" : "assay_login";
  return `postgres://${user}:${secretInDataDir(dataDir, login)}@127.0.0.1:${port}/assay`;
}

function ask<T extends pg.QueryResultRow>(server: Server, statement: string): Promise<T[]> {
  return askAt(urlOf(server, "postgres-owner"), statement);
}

async function askAt<T extends pg.QueryResultRow>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function isInRecovery(url: string): Promise<boolean> {
  const [answer] = await askAt<{ is: boolean }>(url, "select pg_is_in_recovery() as is");
  return answer?.is ?? true;
}

/** It waits for nobody until it has read that it should: then whoever follows must have all. */
async function isSynchronous(primary: Server): Promise<boolean> {
  const [found] = await ask<{ waits: boolean; state: string }>(
    primary,
    `select current_setting('synchronous_standby_names') = '*' as waits,
            (select sync_state from pg_stat_replication where state = 'streaming' limit 1) as state`,
  );
  return found?.waits === true && found.state === "sync";
}
