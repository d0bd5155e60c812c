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
      isReady: () => answers(urlOf({ dataDir, port }, "postgres-owner")),
    });
    return { part, dataDir, port, checkPort };
  }

  /** The address at a port, through which the primary is reached, by either login. */
  url(port: number, login: (typeof secrets)[number]): string {
    return urlOf({ dataDir: this.servers[0].dataDir, port }, login);
  }

  /** Whether the primary is reached at a port. */
  answersAt(port: number): Promise<boolean> {
    return answers(this.url(port, "postgres-owner"));
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
    primary.part.start();
    await primary.part.ready();
    // Its place was already empty when whoever promoted it was interrupted.
    if (isStandby(primary)) await promote(primary);
    // In force once there is a standby, which reads it, too: its own first words wait for nobody.
    await ask(primary, "alter system set synchronous_standby_names = '*'");
    if (isThere(standby)) standby.part.start();
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
    if (!(await isSynchronous(primary)))
      throw new Error(
        "The standby is behind: with it in the primary's place, acknowledged work would be lost.",
      );
    const place = postgresFolder(primary.dataDir);
    const aside = path.join(primary.dataDir, "before");
    // Whoever starts it again first.
    await primary.part.end("SIGKILL");
    this.kill(primary);
    while (readPostmaster(place)) await wait(20);
    await rename(place, aside);
    try {
      await promote(standby);
    } catch (error) {
      await rename(aside, place);
      primary.part.start();
      throw error;
    }
    // What its last processes still have open ends with them.
    await rm(aside, { recursive: true, force: true, maxRetries: 50 });
    await this.#rebuild(primary, standby);
    await this.untilSynchronous();
  }

  /** Its postmaster, without a word: it is started again. */
  kill({ dataDir }: Server): void {
    const running = readPostmaster(postgresFolder(dataDir));
    if (running) process.kill(running.pid, "SIGKILL");
  }

  /** A copy of the other one, that follows it. */
  async #rebuild(server: Server, other: Server): Promise<void> {
    const aside = path.join(server.dataDir, "copied");
    await rm(aside, { recursive: true, force: true });
    const base = await readBase(urlOf(other, "postgres-owner"));
    await unpackTar(aside, (sink) => through([base, sink]));
    const { hostname, port, username, password } = new URL(urlOf(other, "postgres-owner"));
    const follows = `host=${hostname} port=${port} user=${username} password=${password}`;
    await appendFile(path.join(aside, "postgresql.auto.conf"), `primary_conninfo = '${follows}'\n`);
    await writeFile(path.join(aside, "standby.signal"), "");
    await rename(aside, postgresFolder(server.dataDir));
    await giveToPostgres(server.dataDir, [postgresFolder(server.dataDir)]);
    server.part.start();
    await server.part.ready();
  }
}

function isThere({ dataDir }: Server): boolean {
  return existsSync(postgresFolder(dataDir));
}

function isStandby({ dataDir }: Server): boolean {
  return existsSync(path.join(postgresFolder(dataDir), "standby.signal"));
}

async function promote(standby: Server): Promise<void> {
  const [answer] = await ask<{ is: boolean }>(standby, "select pg_promote() as is");
  if (!answer?.is) throw new Error(`${standby.part.name} did not become the primary`);
}

function urlOf(
  { dataDir, port }: Pick<Server, "dataDir" | "port">,
  login: (typeof secrets)[number],
) {
  const user = login === "postgres-owner" ? "assay" : "assay_login";
  return `postgres://${user}:${secretInDataDir(dataDir, login)}@127.0.0.1:${port}/assay`;
}

async function ask<T extends pg.QueryResultRow>(server: Server, statement: string): Promise<T[]> {
  const client = new pg.Client({
    connectionString: urlOf(server, "postgres-owner"),
    connectionTimeoutMillis: 2_000,
  });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on("error", () => {});
  await client.connect();
  await client.end();
  return true;
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
