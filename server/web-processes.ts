import cluster, { type Worker as WebProcess } from "node:cluster";
import path from "node:path";
import { AggregatorRegistry } from "prom-client";
import { type Config, ConfigError } from "./platform/config.ts";
import type { Measured } from "./platform/http/request-metrics.ts";
import type { Log } from "./platform/log/log.ts";
import type { Web } from "./web.ts";

/** What a web process (scripts/web-process.ts) says to the one that started it; `failure` is what an operator reads. */
export type FromWebProcess =
  | "alive"
  | { port: number }
  | { failure: string }
  | { measured: Measured; asked: number };
/** What it is told: once its settings, then to stop, or to say what it measured. */
export type ToWebProcess = Config | "stop" | { measure: number };

export const aliveEveryMs = 5_000;
/** One that is silent for so many of those, a minute, hangs. */
const missedSigns = 12;
/** Its requests have 5 s (web.ts), and PostgreSQL needs what is left of 10 s. */
const stopsWithinMs = 6_500;
/** One that ends earlier may do so again: the next waits longer each time. */
const livesWellAfterMs = 60_000;
const measuresWithinMs = 2_000;
const firstWaitMs = 250;
const longestWaitMs = 15_000;

/**
 * Starts `config.webProcesses` processes that answer HTTP on the one port, and another for each that ends. This process accepts
 * the connections and gives them out in turn (node:cluster); if it ends, they end.
 *
 * @param databaseUrl the application's login
 * @throws ConfigError when the port is taken, or one is not ready within a minute
 */
export async function startWebProcesses(
  config: Config,
  databaseUrl: string,
  log: Log,
): Promise<Web> {
  // Settings hold large numbers, maps and bytes, which JSON would lose.
  const exec = path.resolve(import.meta.dirname, "../scripts/web-process.ts");
  cluster.setupPrimary({ exec, args: [], serialization: "advanced" });
  const running = new Set<WebProcess>();
  const figures = keepFigures();
  let isStopping = false;
  let { port } = config;

  const start = async (lastWaitMs = 0): Promise<void> => {
    const startedAt = performance.now();
    const child = cluster.fork({ WEB_CONCURRENCY: String(config.webProcesses) });
    running.add(child);
    // Of one that can be told nothing more, the exit follows.
    child.on("error", () => {});
    child.once("exit", (code, signal) => {
      running.delete(child);
      figures.end(child);
      const livedWell = performance.now() - startedAt > livesWellAfterMs;
      const waitMs = livedWell ? 0 : Math.min(longestWaitMs, lastWaitMs * 2 || firstWaitMs);
      setTimeout(() => {
        if (isStopping) return;
        log.error(
          { pid: child.process.pid, code, signal },
          "a web process ended: starting another",
        );
        start(waitMs).catch((error) => log.error({ err: error }, "a web process did not start"));
      }, waitMs);
    });
    child.send({ ...config, port, databaseUrl });
    port = await untilReady(child);
  };
  const stop = async () => {
    isStopping = true;
    const ended = [...running].map((child) => {
      child.send("stop");
      const withinMs = config.drainSeconds * 1_000 + stopsWithinMs;
      const force = setTimeout(() => child.process.kill("SIGKILL"), withinMs);
      return new Promise<void>((resolve) => {
        child.once("exit", () => {
          clearTimeout(force);
          resolve();
        });
      });
    });
    await Promise.all(ended);
  };
  try {
    await Promise.all(Array.from({ length: config.webProcesses }, () => start()));
    return { port, stop, measured: () => figures.ask([...running]) };
  } catch (error) {
    for (const child of running) child.process.kill("SIGKILL");
    await stop();
    throw error;
  }
}

/**
 * What processes measured. A count never falls, or it would be taken for one that began again: of a process that does not say there is
 * what it said last, and of those that ended what they had counted.
 */
function keepFigures() {
  const last = new Map<WebProcess, Measured>();
  let gone: Promise<Measured> = Promise.resolve([]);
  return {
    async ask(running: WebProcess[]): Promise<Measured[]> {
      const said = await Promise.all(running.map(askMeasured));
      for (const [place, measured] of said.entries()) {
        const child = running[place];
        if (child && measured && !child.isDead()) last.set(child, measured);
      }
      return [...last.values(), await gone];
    },
    end(child: WebProcess): void {
      const counted = (last.get(child) ?? []).filter(({ type }) =>
        // Words, whatever the library's types say.
        ["counter", "histogram"].includes(String(type)),
      );
      last.delete(child);
      gone = gone.then((before) =>
        AggregatorRegistry.aggregate([before, counted]).getMetricsAsJSON(),
      );
    },
  };
}

let asked = 0;

/** What a process measured; null where it does not say within two seconds, or ends. */
function askMeasured(child: WebProcess): Promise<Measured | null> {
  asked += 1;
  const own = asked;
  return new Promise((resolve) => {
    const end = (measured: Measured | null) => {
      clearTimeout(patience);
      child.off("message", hear);
      resolve(measured);
    };
    const hear = (said: FromWebProcess) => {
      if (typeof said === "object" && "measured" in said && said.asked === own) end(said.measured);
    };
    const patience = setTimeout(end, measuresWithinMs, null);
    child.on("message", hear);
    child.send({ measure: own }, (error) => {
      if (error) end(null);
    });
  });
}

/** The port on which it answers. One that hangs is killed, before that and afterwards. */
async function untilReady(child: WebProcess): Promise<number> {
  const kill = () => child.process.kill("SIGKILL");
  let missed = 0;
  const watch = setInterval(() => {
    missed += 1;
    if (missed > missedSigns) kill();
  }, aliveEveryMs);
  return new Promise<number>((resolve, reject) => {
    child.on("message", (said: FromWebProcess) => {
      missed = 0;
      if (said === "alive") return;
      if ("port" in said) return resolve(said.port);
      if ("measured" in said) return;
      reject(new ConfigError(said.failure));
      kill();
    });
    child.once("exit", (code, signal) => {
      clearInterval(watch);
      reject(new ConfigError(`A web process ended (${signal ?? code}) before it was ready.`));
    });
  });
}
