import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { Db } from "../database.ts";
import type { Log } from "../log/log.ts";

export interface Listening {
  stop(): Promise<void>;
}

/** A connection that cannot answer so soon is a dead one, whatever its socket says. */
const answerWithinMs = 5_000;
const lookEveryMs = 20_000;
const firstWaitMs = 500;
const longestWaitMs = 15_000;

/**
 * Listens to what PostgreSQL says on a channel, on a connection of its own that is replaced whenever it is
 * lost. `onNotice` is also called after each new connection: what was said meanwhile nobody heard.
 */
export function listen(
  db: Db,
  channel: string,
  { log, onNotice }: { log: Log; onNotice: () => void },
): Listening {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = keepListening();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };

  async function keepListening(): Promise<void> {
    let waitMs = firstWaitMs;
    let isLost = false;
    while (!signal.aborted) {
      const reason = await listenOnce(() => {
        if (isLost) log.info({ channel }, "listening to the database again");
        isLost = false;
        waitMs = firstWaitMs;
        onNotice();
      });
      if (signal.aborted) return;
      if (!isLost) log.warn({ channel, err: reason }, "not listening to the database");
      isLost = true;
      await wait(waitMs, null, { signal, ref: false }).catch(() => {});
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    }
  }

  /** Until the connection is lost, which is what it returns, or until `stop`. */
  async function listenOnce(onListening: () => void): Promise<unknown> {
    const client = new pg.Client({
      ...connectionOf(db),
      keepAlive: true,
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
    });
    const lost = new Promise<unknown>((resolve) => {
      client.on("error", resolve);
      client.on("end", () => resolve(new Error("the connection ended")));
      signal.addEventListener("abort", () => resolve(null), { once: true });
    });
    client.on("notification", () => onNotice());
    try {
      await Promise.race([client.connect(), lost]);
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      onListening();
      return await Promise.race([lost, untilDead(client)]);
    } catch (error) {
      return error;
    } finally {
      await Promise.race([client.end().catch(() => {}), wait(1_000, null, { ref: false })]);
    }
  }

  /** Asks now and then: a connection whose other end vanished says nothing by itself. */
  async function untilDead(client: pg.Client): Promise<unknown> {
    try {
      for (;;) {
        await wait(lookEveryMs, null, { signal, ref: false });
        await client.query("select 1");
      }
    } catch (error) {
      return error;
    }
  }
}

/** The pool's own connections are borrowed by others; this is one more, made alike. */
function connectionOf({ $client: { options } }: Db): pg.ClientConfig {
  const { connectionString, options: settings, application_name: name } = options;
  return {
    ...(connectionString && { connectionString }),
    ...(settings && { options: settings }),
    ...(name && { application_name: name }),
  };
}
