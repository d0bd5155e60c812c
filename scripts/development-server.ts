import type { ServerBuild } from "react-router";
import { createServer } from "vite";
import { readConfig } from "../server/platform/config/read-config.ts";
import type { Pages } from "../server/web.ts";
import { loadEnv } from "./load-env.ts";
import { runUntilStopped } from "./run-until-stopped.ts";

const product = await runUntilStopped(async () => {
  // Pages reload from Vite's modules, which are in this process.
  const config = readConfig({ ...loadEnv(), WEB_CONCURRENCY: "1" });
  const ours = process.listeners("SIGTERM");
  const vite = await createServer({
    appType: "custom",
    // Port 0: the socket for updates takes a free one, so that two copies can run side by side.
    server: { middlewareMode: true, hmr: { host: "127.0.0.1", port: 0 } },
  });
  // Vite would end the process at once; the product ends it when the database has been stopped.
  for (const theirs of process.listeners("SIGTERM")) {
    if (!ours.includes(theirs)) process.off("SIGTERM", theirs);
  }
  // Vite loads the server too: pages and rooms must share one copy of every module.
  const { startProduct } = (await vite.ssrLoadModule(
    "/server/start.ts",
  )) as typeof import("../server/start.ts");
  const build = () =>
    vite.ssrLoadModule("virtual:react-router/server-build") as Promise<ServerBuild>;
  const pages: Pages = { build, middleware: vite.middlewares };
  // Vite ends with the process: closing it would wait for browsers that keep their sockets open.
  return startProduct(config, async () => pages);
});
console.log(`Development server at ${product.url}. Pages reload by themselves.`);
