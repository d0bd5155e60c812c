import type { Plugin } from "vite";
import { withDarkWithoutScript } from "./dark-without-script.ts";
import { sheetOfUsedParts } from "./mantine-sheet.ts";
import { themeSheet } from "./theme-sheet.ts";

const sheets: Record<string, (root: string) => string> = {
  "virtual:mantine.css": sheetOfUsedParts,
  "virtual:theme.css": themeSheet,
};

/** Makes the sheets that are not written by hand. */
export function madeSheets(): Plugin {
  let root = ".";
  return {
    name: "made-sheets",
    configResolved(config) {
      root = config.root;
    },
    resolveId: (source) => (Object.hasOwn(sheets, source) ? `\0${source}` : null),
    load(id) {
      const make = sheets[id.slice(1)];
      return make ? withDarkWithoutScript(make(root)) : null;
    },
  };
}
