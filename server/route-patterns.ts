import { matchRoutes, type ServerBuild } from "react-router";
import { patternOf, routesUnder } from "./kept-addresses.ts";

/** What the log calls an address that no page has: a mistyped link may hold a token too. */
export const noPage = "(no page)";

/**
 * Makes the function that gives the pattern of a path, `/receipt/:token` for `/receipt/k3…`: what varies in an address may open
 * something, as a shared receipt's token does, and stays out of the log.
 */
export function openRoutePatterns(build: ServerBuild): (pathname: string) => string {
  const tree = routesUnder(build, undefined);
  const plain = new Set(
    Object.keys(build.routes)
      .map((id) => patternOf(build, id))
      .filter((pattern) => !/[:*?]/.test(pattern)),
  );
  const find = (page: string): string | null => {
    // What cannot be decoded the router would repeat, as a warning.
    const match = isDecodable(page) ? matchRoutes(tree, page)?.at(-1) : undefined;
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

/** Whether the router can read a path: one that it cannot it prints as it is, with whatever token is in it. */
export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
