import path from "node:path";
import { build, type Plugin } from "vite";

const entry = "app/site/enhance/main.ts";
const id = "virtual:site-script";

/**
 * Builds the script of the public pages beside React's, so that no module is shared with it and nothing of
 * React comes along; tells the server its name through `virtual:site-script`.
 */
export function siteScript(): Plugin {
  return {
    name: "site-script",
    resolveId: (source) => (source === id ? `\0${id}` : null),
    async load(requested) {
      if (requested !== `\0${id}`) return null;
      // Hydrated pages never draw a plain one: in the browser there is nothing to know.
      if (this.environment.name === "client") return exporting([], []);
      if (this.environment.mode !== "build") return exporting(["@vite/client", entry], []);
      const { fileName, imports } = await buildScript(this.environment.config.root);
      return exporting([fileName], imports);
    },
  };
}

function exporting(scripts: string[], preloads: string[]): string {
  const [one, other] = [scripts, preloads].map((names) => names.map((name) => `/${name}`));
  return `export const scripts = ${JSON.stringify(one)};
export const preloads = ${JSON.stringify(other)};`;
}

/** Laid among the pages' assets, which are built before the server is. */
async function buildScript(root: string): Promise<{ fileName: string; imports: string[] }> {
  const built = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    build: {
      outDir: "build/client",
      emptyOutDir: false,
      target: "es2022",
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: { site: path.join(root, entry) },
        output: { entryFileNames: "assets/[name]-[hash].js" },
      },
    },
  });
  if (!("output" in built)) throw new Error("the script of the public pages was not built");
  const chunk = built.output.find((file) => file.type === "chunk" && file.isEntry);
  if (chunk?.type !== "chunk") throw new Error(`${entry} gave no chunk`);
  return chunk;
}
