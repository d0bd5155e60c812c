import { openApp } from "../server/open-app.ts";
import type { Measured } from "../server/platform/http/request-metrics.ts";
import { openLog } from "../server/platform/log/log.ts";
import { startWeb } from "../server/web.ts";
import { aliveEveryMs, type FromWebProcess, type ToWebProcess } from "../server/web-processes.ts";
import { builtPages } from "./built-pages.ts";
import { oneLine } from "./run-until-stopped.ts";

// One of the processes that server/web-processes.ts starts. It ends when that one ends: node:cluster sees to it.
for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
// A terminal's Ctrl-C comes to every process, and the first says when to stop.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});

/** Fewer than one process alone has (server/platform/database.ts): PostgreSQL takes 100 from all together, as it comes. */
const connections = 10;

const pages = builtPages();
let end = async () => {};
let measured: () => Promise<Measured[]> = async () => [];
process.on("message", async (told: ToWebProcess) => {
  if (told === "stop") {
    await end();
    process.exit(0);
  }
  if ("measure" in told) {
    for (const own of await measured()) say({ measured: own, asked: told.measure });
    return;
  }
  try {
    const app = openApp(told, openLog(told.logLevel), told.databaseUrl ?? "", {
      connections: told.databaseConnections ?? connections,
      part: "web",
    });
    const web = await startWeb(app, await pages);
    measured = web.measured;
    end = async () => {
      await web.stop();
      await app.db.$client.end();
    };
    say({ port: web.port });
    setInterval(say, aliveEveryMs, "alive").unref();
  } catch (error) {
    say({ failure: oneLine(error) });
  }
});

function say(what: FromWebProcess): void {
  process.send?.(what);
}
