/** Where the scripts of the pages without React's are, as the build (or Vite's server) has them: vite.config.ts. */
declare module "virtual:site-script" {
  export const scripts: Record<
    import("./plain-page.ts").PlainScript,
    {
      /** Modules to load, in this order. */
      scripts: string[];
      /** What they import at once. */
      preloads: string[];
    }
  >;
}
