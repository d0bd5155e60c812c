import type { ServerBuild } from "react-router";
import { createServer } from "vite";
import { readConfig } from "../server/platform/config.ts";
import { startProduct } from "../server/start.ts";
import type { Pages } from "../server/web.ts";
import { loadEnv } from "./load-env.ts";
import { runUntilStopped } from "./run-until-stopped.ts";

const product = await runUntilStopped(() => startProduct(readConfig(loadEnv()), pagesFromVite));
console.log(`Development server at ${product.url}. Pages reload by themselves.`);

async function pagesFromVite(): Promise<Pages> {
  const vite = await createServer({
    appType: "custom",
    // Port 0: the socket for updates takes a free one, so that two copies can run side by side.
    server: { middlewareMode: true, hmr: { host: "127.0.0.1", port: 0 } },
  });
  const build = () =>
    vite.ssrLoadModule("virtual:react-router/server-build") as Promise<ServerBuild>;
  return { build, middleware: vite.middlewares };
}
