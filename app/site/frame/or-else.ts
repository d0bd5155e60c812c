import type { App } from "#server/app-context.ts";
import { isDatabaseOutage } from "#server/platform/database/database-failure.ts";

/**
 * Reads one part of a public page; where that fails, the page is shown without it. While the whole database
 * is away the page fails instead: then the last good one is shown (server/cached-pages.ts).
 */
export async function orElse<T, F>(app: App, reading: Promise<T>, fallback: F): Promise<T | F> {
  try {
    return await reading;
  } catch (error) {
    if (isDatabaseOutage(error)) throw error;
    app.log.error({ err: error }, "a part of a public page could not be read");
    return fallback;
  }
}
