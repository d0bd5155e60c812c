import path from "node:path";
import { build, type Plugin } from "vite";

const entries = { site: "app/site/enhance/main.ts", auth: "app/auth/enhance/main.ts" };
const id = "virtual:site-script";

interface Script {
  scripts: string[];
  preloads: string[];
}

/**
 * Builds the scripts of the pages without React's beside React's, each by itself, so that no module is shared with
 * it and nothing of React comes along; tells the server their names through `virtual:site-script`.
 */
export function siteScript(): Plugin {
  return {
    name: "site-script",
    resolveId: (source) => (source === id ? `\0${id}` : null),
    async load(requested) {
      if (requested !== `\0${id}`) return null;
      const { name, mode, config } = this.environment;
      const made = Object.entries(entries).map(async ([script, entry]) => {
        // Hydrated pages never draw a plain one: in the browser there is nothing to know.
        if (name === "client") return [script, { scripts: [], preloads: [] }];
        if (mode !== "build")
          return [script, { scripts: ["/@vite/client", `/${entry}`], preloads: [] }];
        const outDir = path.resolve(config.root, config.build.outDir, "../client");
        return [script, await buildScript(config.root, outDir, { script, entry })];
      });
      return `export const scripts = ${JSON.stringify(Object.fromEntries(await Promise.all(made)))};`;
    },
  };
}

/** Laid among the pages' assets, which are built before the server is. */
async function buildScript(
  root: string,
  outDir: string,
  { script: name, entry }: { script: string; entry: string },
): Promise<Script> {
  const built = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    build: {
      outDir,
      emptyOutDir: false,
      target: "es2022",
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: { [name]: path.join(root, entry) },
        output: { entryFileNames: "assets/[name]-[hash].js" },
      },
    },
  });
  if (!("output" in built)) throw new Error(`the script of ${entry} was not built`);
  const chunk = built.output.find((file) => file.type === "chunk" && file.isEntry);
  if (chunk?.type !== "chunk") throw new Error(`${entry} gave no chunk`);
  return {
    scripts: [`/${chunk.fileName}`],
    preloads: chunk.imports.map((file) => `/${file}`),
  };
}
