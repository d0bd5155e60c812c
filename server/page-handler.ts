import { createRequestHandler, type RequestHandler, type ServerBuild } from "react-router";
import { patternOf } from "./cached-addresses.ts";

/** The sections with the most pages, by the first segment of their addresses. */
const sections = ["account", "operator"];

/**
 * Answers requests for pages. The router tries all routes that it has, one by one and twice for each request: a page of the
 * account, which has a quarter of them, is looked for among those alone, which halves what the router takes for it.
 */
export function openPageHandler(build: ServerBuild): RequestHandler {
  const whole = createRequestHandler(build, "production");
  const handlers = new Map(
    sections.map((section) => [
      section,
      createRequestHandler({ ...build, routes: routesOf(build, section) }, "production"),
    ]),
  );
  return (request, context) => {
    const [, , , section = "", ...rest] = request.url.split("/", 5);
    // What is spelled in another way, or ends here, any of them may fit.
    return ((rest.length > 0 && handlers.get(section)) || whole)(request, context);
  };
}

/** The routes that may fit an address of a section, and those around them. */
export function routesOf(build: ServerBuild, section: string): ServerBuild["routes"] {
  const fitting = Object.keys(build.routes).filter((id) => {
    const [, first = ""] = patternOf(build, id).split("/");
    return first === section || /^[:*]/.test(first);
  });
  const around = fitting.flatMap((id) => {
    const { parentId } = build.routes[id] ?? {};
    return parentId === undefined ? [] : [parentId];
  });
  const shown = new Set([...fitting, ...around, "root"]);
  return Object.fromEntries(Object.entries(build.routes).filter(([id]) => shown.has(id)));
}
