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
  };
}

/**
 * Each module that pages share would become a file of its own, some fifty for one page, and a file costs a browser more than
 * a few kilobytes that the page at hand does without. So: React, which changes seldom; what forms are checked with; what hashes;
 * and what many pages share. What few pages share stays apart.
 */
const groups = [
  {
    name: "react",
    test: /node_modules.(react|react-dom|react-router|scheduler)[\\/]/,
    priority: 3,
  },
  {
    name: "rules",
    test: /node_modules.zod[\\/]|core.zod[.]/,
    priority: 2,
  },
  {
    name: "hashes",
    test: /node_modules.@(noble|scure)[\\/]/,
    priority: 2,
  },
  {
    name: "base",
    test: /app.ui.(browser|theme|toasts)[\\/]|app.ui.page.(error-page|product-marks)|app.ui.forms.sign-out-form|core.cookie-name/,
    minShareCount: 2,
    priority: 1,
  },
  {
    name: "frame",
    test: /app.(root|plain-page)[.]|(app.ui|core)[\\/](?!market|receipt|permission)/,
    minShareCount: 8,
    priority: 1,
  },
];
