import type { EntryContext } from "react-router";

/**
 * The entry with only the routes that the page shows. The router prepares and ranks every route that it is given, for each
 * page anew: with all of them a dashboard takes a quarter more processor time (decision 71). Browsers have their list of
 * routes from a file.
 *
 * Leans on `ServerRouter` needing no other route than those that matched.
 * Ends when the router keeps between two pages what it made of its routes.
 */
export function withShownRoutes(entry: EntryContext): EntryContext {
  const { manifest, routeModules, staticHandlerContext } = entry;
  const shown = staticHandlerContext.matches.map(({ route }) => route.id);
  return {
    ...entry,
    manifest: { ...manifest, routes: only(shown, manifest.routes) },
    routeModules: only(shown, routeModules),
  };
}

function only<T>(
  keys: string[],
  all: Record<string, T | undefined>,
): Record<string, T | undefined> {
  return Object.fromEntries(keys.map((key) => [key, all[key]]));
}
