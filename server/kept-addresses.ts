import {
  generatePath,
  matchPath,
  matchRoutes,
  type RouteObject,
  type ServerBuild,
} from "react-router";

export interface KeptAddresses {
  /**
   * The address that stands for all spellings of the one asked for: lower case, no slash at the end, no
   * parameter that the page does not know. Null: a page to render for each reader.
   */
  find(pathname: string, search: string): string | null;
  /** Those without anything variable in them. */
  fixed: string[];
}

/** Reads from the routes which pages are kept for everybody: those whose `handle` is a `keptPage()`. */
export function readKeptAddresses(build: ServerBuild): KeptAddresses {
  const kept = Object.values(build.routes).flatMap((route) => {
    const parameters = route && parametersOf(route.module.handle);
    return parameters ? [{ id: route.id, pattern: patternOf(build, route.id), parameters }] : [];
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
    return page && path !== null ? { path, parameters: page.parameters } : null;
  };
  return {
    fixed: [...fixed.keys()],
    find(pathname, search) {
      const plain = pathname.toLowerCase().replace(/(?<=.)\/+$/, "");
      const page = fixed.get(plain);
      const found = page ? { path: plain, parameters: page.parameters } : findVariable(pathname);
      if (!found) return null;
      const known = only(found.parameters, new URLSearchParams(search));
      return known.size === 0 ? found.path : `${found.path}?${known}`;
    },
  };
}

/** In the order of the names, whatever the order they were asked in; of several with one name the first. */
function only(names: string[], asked: URLSearchParams): URLSearchParams {
  const known = new URLSearchParams();
  for (const name of names) {
    const value = asked.get(name);
    if (value) known.set(name, value);
  }
  return known;
}

function routesUnder(build: ServerBuild, parentId: string | undefined): RouteObject[] {
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

/** The parameters that a kept page knows; null for a page that is not kept. */
function parametersOf(handle: unknown): string[] | null {
  if (typeof handle !== "object" || handle === null || !("kept" in handle)) return null;
  return handle.kept as string[];
}

function patternOf(build: ServerBuild, id: string): string {
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
