import { matchRoutes, type ServerBuild } from "react-router";
import { patternOf, routesUnder } from "./cached-addresses.ts";

/** What the log calls an address that no page has: a mistyped link may hold a token too. */
export const noPage = "(no page)";

/**
 * Makes the function that gives the pattern of a path, `/receipt/:token` for `/receipt/k3…`: what varies in an address may open
 * something, as a shared receipt's token does, and stays out of the log.
 */
export function openRoutePatterns(build: ServerBuild): (pathname: string) => string {
  const tree = routesUnder(build, undefined);
  const patterns = [...new Set(Object.keys(build.routes).map((id) => patternOf(build, id)))];
  const plain = new Set(patterns.filter((pattern) => !/[:*?]/.test(pattern)));
  const shapes = patterns.filter((pattern) => !/[*?]/.test(pattern)).map(shapeOf);
  const find = (page: string): string | null => {
    // What cannot be decoded the router would repeat, as a warning.
    if (!isDecodable(page)) return null;
    const path = decodeURI(page);
    // The router goes through all routes, which takes longer than to refuse a request: it is asked only where it has a choice.
    const fitting = shapes.filter(({ shape }) => shape.test(path));
    if (fitting.length < 2) return fitting[0]?.pattern ?? null;
    const match = matchRoutes(tree, page)?.at(-1);
    const pattern = match?.route.id ? patternOf(build, match.route.id) : null;
    return pattern?.includes("*") ? null : pattern;
  };
  return (pathname) => {
    const page = pathname.replace(/\.data$/, "").replace(/^(?:\/_root)?$/, "/");
    const data = pathname.endsWith(".data") ? ".data" : "";
    const pattern = plain.has(page) ? page : find(page);
    return pattern === null ? noPage : pattern + data;
  };
}

/** What a path looks like that a pattern may fit. */
function shapeOf(pattern: string): { pattern: string; shape: RegExp } {
  const segments = pattern
    .split("/")
    .map((segment) =>
      segment.startsWith(":") ? "[^/]+" : segment.replace(/[.+^${}()|[\]\\]/g, "\\$&"),
    );
  return { pattern, shape: new RegExp(`^${segments.join("/")}/*$`, "i") };
}

/** Whether the router can read a path: one that it cannot it prints as it is, with whatever token is in it. */
export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
