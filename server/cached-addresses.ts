import {
  generatePath,
  matchPath,
  matchRoutes,
  type RouteObject,
  type ServerBuild,
} from "react-router";

export interface CachedAddresses {
  /**
   * The address that stands for all spellings of the one asked for: lower case, no slash at the end, no
   * parameter that the page does not know. Null: a page to render for each reader.
   */
  find(pathname: string, search: string): string | null;
  /** Those without anything variable in them. */
  fixed: string[];
}

/** What a cached page may be asked: app/plain-page.ts. */
interface Kept {
  kept: string[];
  choices?: Record<string, readonly string[]>;
}

/** Nobody asks in more words; what is longer is cut. */
const longestValue = 200;

/** Reads from the routes which pages are kept for everybody: those whose `handle` is a `cachedPage()`. */
export function readCachedAddresses(build: ServerBuild): CachedAddresses {
  const kept = Object.values(build.routes).flatMap((route) => {
    const asked = route && keptBy(route.module.handle);
    return asked ? [{ id: route.id, pattern: patternOf(build, route.id), asked }] : [];
  });
  const fixed = new Map(
    kept.filter(({ pattern }) => !/[:*?]/.test(pattern)).map((page) => [page.pattern, page]),
  );
  const variable = kept.filter(({ pattern }) => !fixed.has(pattern));
  const tree = routesUnder(build, undefined);
  /** Another route may fit the same path, and better: the router's own choice counts. */
  const findVariable = (pathname: string) => {
    if (!variable.some(({ pattern }) => matchPath(pattern, pathname))) return null;
    const match = matchRoutes(tree, pathname)?.at(-1);
    const page = variable.find(({ id }) => id === match?.route.id);
    const path = page && match ? fill(page.pattern, match.params) : null;
    return page && path !== null ? { path, asked: page.asked } : null;
  };
  return {
    fixed: [...fixed.keys()],
    find(pathname, search) {
      const plain = pathname.toLowerCase().replace(/(?<=.)\/+$/, "");
      const page = fixed.get(plain);
      const found = page ? { path: plain, asked: page.asked } : findVariable(pathname);
      if (!found) return null;
      const known = only(found.asked, new URLSearchParams(search));
      return known.size === 0 ? found.path : `${found.path}?${known}`;
    },
  };
}

/** In the order of the names, whatever the order they were asked in; of several with one name the first. */
function only({ kept, choices }: Kept, asked: URLSearchParams): URLSearchParams {
  const known = new URLSearchParams();
  for (const name of kept) {
    const value = (asked.get(name) ?? "").trim().slice(0, longestValue);
    const choice = choices?.[name];
    if (value && (!choice || choice.includes(value))) known.set(name, value);
  }
  return known;
}

/** The routes of the built pages, for the router's own matching. */
export function routesUnder(build: ServerBuild, parentId: string | undefined): RouteObject[] {
  return Object.values(build.routes)
    .filter((route) => route !== undefined && (route.parentId || undefined) === parentId)
    .map((route): RouteObject => {
      const { id, path, index, caseSensitive, module } = route as NonNullable<typeof route>;
      const own = {
        id,
        handle: module.handle,
        ...(path !== undefined && { path }),
        ...(caseSensitive && { caseSensitive }),
      };
      return index ? { ...own, index } : { ...own, children: routesUnder(build, id) };
    });
}

/** Null for a page that is not kept. */
function keptBy(handle: unknown): Kept | null {
  if (typeof handle !== "object" || handle === null || !("kept" in handle)) return null;
  return handle as Kept;
}

/** The path of a route with the names of what varies in it: `/receipt/:token`. */
export function patternOf(build: ServerBuild, id: string): string {
  const segments: string[] = [];
  for (let route = build.routes[id]; route; route = build.routes[route.parentId ?? ""]) {
    if (route.path) segments.unshift(route.path);
  }
  return `/${segments.join("/")}`;
}

function fill(pattern: string, params: Record<string, string | undefined>): string | null {
  try {
    return generatePath(pattern, params);
  } catch {
    return null;
  }
}
