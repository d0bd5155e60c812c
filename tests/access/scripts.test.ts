import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { permissionTexts } from "#core/permission-texts.ts";
import { builtPages } from "../../scripts/built-pages.ts";

const { build } = await builtPages();
const { assets } = typeof build === "function" ? await build() : build;

/** Every file that a page's script consists of. */
function filesOf(routeId: string): Set<string> {
  const files = new Set<string>();
  const add = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, next] of read(file).matchAll(/(?:from|import)\s*["']\.\/([\w.~-]+\.js)["']/g))
      add(`/assets/${next}`);
  };
  for (const file of [assets.entry.module, ...assets.entry.imports]) add(file);
  for (let id: string | undefined = routeId; id; id = assets.routes[id]?.parentId) {
    const { module, imports = [] } = assets.routes[id] ?? {};
    for (const file of [module, ...imports]) if (file) add(file);
  }
  return files;
}

function read(file: string): string {
  return readFileSync(`build/client${file}`, "utf8");
}

const pages = Object.keys(assets.routes);
/** The texts of what staff may do, and a name that only the rules themselves hold. */
const told = [...Object.values(permissionTexts), "console/export-list"];

describe("a customer's scripts", () => {
  test.each(pages.filter((id) => id.startsWith("account/")))(
    "%s tells nothing of what staff may",
    (id) => {
      const said = [...filesOf(id)].filter((file) =>
        told.some((does) => read(file).includes(does)),
      );
      expect(said).toEqual([]);
    },
  );

  test("a page of the console has the words that are looked for", () => {
    const said = [...filesOf("operator/staff/list")].map(read).join();
    expect(told.filter((does) => !said.includes(does))).toEqual([]);
  });
});

describe("what a signed-in page brings", () => {
  const signedIn = pages.filter((id) => /^(account|operator)/.test(id));
  const sizes = new Map<string, number>();
  const kbOf = (file: string) => {
    const size = sizes.get(file) ?? gzipSync(read(file)).length / 1000;
    sizes.set(file, size);
    return size;
  };
  /** Two thirds of the 251 and 256 kB that the dashboard and the heaviest of these pages had with Mantine, with the check of the proof and 0.05 kB for each page added since. */
  const mostKb = (id: string) => (id.includes("dashboard") ? 168.65 : 171.25);

  test("is about two thirds of what it was, at most", () => {
    const heavy = signedIn.filter((id) => {
      const kb = [assets.url, ...filesOf(id)].reduce((sum, file) => sum + kbOf(file), 0);
      return kb > mostKb(id);
    });
    expect(heavy).toEqual([]);
  });

  test("has no rules of forms: they come when a reader begins", () => {
    const isRules = (file: string) => file.startsWith("/assets/rules-");
    expect(signedIn.filter((id) => [...filesOf(id)].some(isRules))).toEqual([]);
  });
});
