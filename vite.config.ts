import path from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";
import { browserBundle } from "./scripts/vite/browser-bundle.ts";
import { siteScript } from "./scripts/vite/site-script.ts";

/** Fails the build when a browser module still imports anything under server/. */
function keepServerOutOfBrowser(): Plugin {
  const serverFolder = path.resolve("server") + path.sep;
  return {
    name: "keep-server-out-of-browser",
    apply: "build",
    enforce: "pre",
    async resolveId(source, importer, options) {
      if (this.environment.name !== "client" || !importer) return null;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      if (resolved?.id.startsWith(serverFolder)) {
        const from = path.relative(".", importer);
        const to = path.relative(".", resolved.id);
        throw new Error(`${from} would send ${to} to the browser`);
      }
      return resolved;
    },
  };
}

/**
 * Leaves `#server/…` and `#core/…` as imports in the server build: Node runs those TypeScript files
 * itself, so pages and jobs share one copy of every module (one pool, one `Refusal` class). In development
 * Vite loads both, to the same end: scripts/development-server.ts.
 */
function serverRunsFromSource(): Plugin {
  return {
    name: "server-runs-from-source",
    apply: "build",
    enforce: "pre",
    resolveId(source) {
      if (this.environment.name === "client") return null;
      if (!/^#(server|core)\//.test(source)) return null;
      return { id: source, external: true };
    },
  };
}

export default defineConfig({
  plugins: [
    keepServerOutOfBrowser(),
    serverRunsFromSource(),
    siteScript(),
    browserBundle(),
    reactRouter(),
  ],
  build: {
    target: "es2022",
    // light-dark() as it is: written out for older browsers, a part could not have a scheme of its own.
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
  },
});
