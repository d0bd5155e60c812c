/** Where the script of the public pages is, as the build (or Vite's server) has it: vite.config.ts. */
declare module "virtual:site-script" {
  /** Modules to load, in this order. */
  export const scripts: string[];
  /** What they import at once. */
  export const preloads: string[];
}
