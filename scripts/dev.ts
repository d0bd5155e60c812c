import type { ServerBuild } from "react-router";
import { createServer } from "vite";
import { readConfig } from "../server/platform/config.ts";
import { startProduct } from "../server/start.ts";
import { loadEnv } from "./load-env.ts";
import { runUntilStopped } from "./run-until-stopped.ts";

const product = await runUntilStopped(async () =>
  startProduct(readConfig(loadEnv()), async () => {
    const vite = await createServer({
      server: { middlewareMode: true, ws: false },
      appType: "custom",
    });
    const build = () =>
      vite.ssrLoadModule("virtual:react-router/server-build") as Promise<ServerBuild>;
    return { build, middleware: vite.middlewares };
  }),
);
console.log(`Development server at ${product.url}. Pages reload by themselves.`);
