import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "#server/platform/sql.ts";
import type { App } from "./app-context.ts";
import { readSchema, sha256Of } from "./platform/database/schema-text.ts";
import { plainAnswerHeaders } from "./platform/http/security-headers.ts";

/** What is said of the process to those who watch over it: load balancers, supervisors, alarms. */
export interface Health {
  /** Whether an address is one of those; the answer to it. */
  answer(address: string): Promise<HealthAnswer> | HealthAnswer | null;
  /** From now on it is not ready: whoever gives out requests gives it no more. */
  drain(): void;
  isDraining(): boolean;
}

interface HealthAnswer {
  status: 200 | 503;
  body: string;
  headers: Record<string, string>;
}

/** So long an answer is given to all who ask. */
const freshMs = 1_000;
/** A database that says nothing for so long is silent: requests would hang. */
const patienceMs = 2_000;

type Database = "ok" | "silent" | "unreachable";

/**
 * `/livez` says that the process answers; `/readyz` that its database does too, and has at least the migrations of this version, and
 * none that breaks it. Those are read once, and the database is asked once a second, however many ask. Lines that the log lost do not make a process unready.
 */
export function openHealth(app: App): Health {
  const own = readSchema().migrations.map((each) => `${each.name} ${sha256Of([each])}`);
  const said = new Headers({ "content-type": "application/json", "cache-control": "no-store" });
  plainAnswerHeaders(said, app.config);
  const headers = Object.fromEntries(said);
  const answer = (status: 200 | 503, facts: object): HealthAnswer => {
    const body = JSON.stringify(facts);
    return { status, body, headers: { ...headers, "content-length": String(body.length) } };
  };
  const readiness = (database: Database, isMigrated: boolean | null) => {
    const { lines, failing } = app.log.lost();
    const isReady = database === "ok" && isMigrated === true;
    return answer(isReady ? 200 : 503, {
      status: isReady ? "ready" : "not ready",
      database,
      ...(isMigrated !== null && { migrations: isMigrated ? "done" : "missing" }),
      log: failing ?? "ok",
      droppedLogLines: lines,
    });
  };
  let isDraining = false;
  const stopping = answer(503, { status: "stopping" });
  const alive = answer(200, { status: "alive" });
  let known: { ready: HealthAnswer; until: number } | undefined;
  let asking: { at: number; ready: Promise<HealthAnswer> } | undefined;

  const ask = async (): Promise<HealthAnswer> => {
    let ready: HealthAnswer;
    try {
      const { rows } = await app.db.execute<{ name: string; sha256: string; breaks: boolean }>(
        sql`select name, sha256, breaks_older as breaks from schema_migrations`,
      );
      const named = rows.map(({ name, sha256, breaks }) => ({ of: `${name} ${sha256}`, breaks }));
      const applied = new Set(named.map(({ of }) => of));
      const isBroken = named.some(({ of, breaks }) => breaks && !own.includes(of));
      const isComplete = own.every((migration) => applied.has(migration));
      ready = readiness("ok", isComplete && !isBroken);
    } catch {
      ready = readiness("unreachable", null);
    }
    known = { ready, until: performance.now() + freshMs };
    asking = undefined;
    return ready;
  };
  const ready = () => {
    const at = performance.now();
    if (known && at < known.until) return known.ready;
    asking ??= { at, ready: ask() };
    const left = asking.at + patienceMs - at;
    if (left <= 0) return readiness("silent", null);
    return Promise.race([
      asking.ready,
      wait(left, null, { ref: false }).then(() => readiness("silent", null)),
    ]);
  };
  return {
    answer(address) {
      const [path] = address.split("?", 1);
      if (path === "/livez") return alive;
      if (path !== "/readyz") return null;
      return isDraining ? stopping : ready();
    },
    drain() {
      isDraining = true;
    },
    isDraining: () => isDraining,
  };
}

/** Answers who watches before anything else is asked of the request: some do so without naming a host. */
export function answerHealth(
  health: Health,
  { method, url = "" }: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const found = health.answer(url);
  if (!found) return false;
  const send = ({ status, headers, body }: HealthAnswer) =>
    void response.writeHead(status, headers).end(method === "HEAD" ? undefined : body);
  if (found instanceof Promise) void found.then(send);
  else send(found);
  return true;
}
