import path from "node:path";
import type { ServerBuild } from "react-router";
import type { Pages } from "../server/web.ts";

/** The pages as `buildWhenNeeded` left them. */
export async function builtPages(): Promise<Pages> {
  const file = path.resolve(import.meta.dirname, "../build/server/index.js");
  return { build: (await import(file)) as ServerBuild };
}
