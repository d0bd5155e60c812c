import type { Plugin } from "vite";

/** How the hydrated pages' modules are put together for the browser. */
export function browserBundle(): Plugin {
  return {
    name: "browser-bundle",
    apply: "build",
    enforce: "pre",
    configEnvironment(name) {
      if (name !== "client") return null;
      return { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } };
    },
    // conform makes its few schemas with zod's large interface; the small one, which ours are made with, knows them too.
    resolveId(source, importer, options) {
      if (this.environment.name !== "client" || source !== "zod/v4") return null;
      return this.resolve("zod/v4-mini", importer, { ...options, skipSelf: true });
    },
  };
}

/**
 * Each module that pages share would become a file of its own, some fifty for one page, and a file costs a browser more than
 * a few kilobytes that the page at hand does without. So: React, which changes seldom; what forms are checked with; icons;
 * and what many pages share. What few pages share stays apart.
 */
const groups = [
  {
    name: "react",
    test: /node_modules.(react|react-dom|react-router|scheduler)[\\/]/,
    priority: 3,
  },
  {
    name: "forms",
    test: /node_modules.(@conform-to|zod)[\\/]|core.zod[.]|app.ui.(form-fields|parse-form)[.]/,
    priority: 2,
  },
  { name: "icons", test: /lucide-react/, minShareCount: 3, priority: 2 },
  {
    name: "frame",
    test: /app.(root|plain-page)[.]|(app.ui|core)[\\/](?!market|receipt|permissions)/,
    minShareCount: 8,
    priority: 1,
  },
];
