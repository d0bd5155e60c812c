import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { ConfigError } from "../platform/config.ts";
import { postgresFolder, startEmbeddedPostgres } from "../platform/database/embedded-postgres.ts";

interface Recovery<T> {
  /** Null: as far as there is WAL. */
  to: Date | null;
  signal: AbortSignal;
  /** Is asked once the database is as it will be. */
  ask(ownerUrl: string): Promise<T>;
}

/**
 * Lets PostgreSQL go from a base through the WAL beside it (`wal`) to the moment, and ends it. The database counts a new timeline then.
 *
 * @throws ConfigError where the WAL ends before the moment
 */
export async function recover<T>(
  dataDir: string,
  { to, signal, ask }: Recovery<T>,
): Promise<{ upTo: Date | null; answer: T }> {
  await writeFile(path.join(postgresFolder(dataDir), "recovery.signal"), "");
  const said: string[] = [];
  try {
    const postgres = await startEmbeddedPostgres(dataDir, {
      // From the folder of the database, so that no name of a folder is part of a command.
      flags: [
        ...["-c", "restore_command=cp ../wal/%f %p", "-c", "recovery_target_action=promote"],
        // PostgreSQL knows no names of zones yet when it reads this.
        ...(to ? ["-c", `recovery_target_time=${to.toISOString().replace("Z", "+00")}`] : []),
      ],
      patience: signal,
      onLine: (line) => {
        said.push(line);
        if (said.length > 100) said.shift();
      },
    });
    try {
      const upTo = await waitUntilRecovered(postgres.ownerUrl, signal);
      return { upTo, answer: await ask(postgres.ownerUrl) };
    } finally {
      await postgres.stop();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw inWords(said, error);
  }
}

async function waitUntilRecovered(url: string, signal: AbortSignal): Promise<Date | null> {
  const client = new pg.Client({ connectionString: url });
  // The next question fails.
  client.on("error", () => {});
  await client.connect();
  try {
    for (;;) {
      signal.throwIfAborted();
      const { rows } = await client.query<{ is: boolean; at: Date | null }>(
        "select pg_is_in_recovery() as is, pg_last_xact_replay_timestamp() as at",
      );
      const [state] = rows;
      if (state && !state.is) {
        // A stop has little time: all is written before.
        await client.query("checkpoint");
        return state.at;
      }
      await wait(200);
    }
  } finally {
    await client.end().catch(() => {});
  }
}

function inWords(said: string[], cause: unknown): Error {
  const isShort = said.some((line) =>
    line.includes("before configured recovery target was reached"),
  );
  const fatal = said.findLast((line) => line.includes("FATAL:"));
  if (!isShort) return fatal ? new Error(fatal, { cause }) : (cause as Error);
  const last = said.flatMap(
    (line) => /last completed transaction was at log time (\S+ \S+)/.exec(line)?.[1] ?? [],
  );
  return new ConfigError(
    `What is kept ends before that moment${last[0] ? `, with a transaction of ${last[0]}` : ""}. Without --to the newest is restored.`,
  );
}
