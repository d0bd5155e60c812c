import { matchRoutes, type ServerBuild } from "react-router";
import { expect, test } from "vitest";
import { builtPages } from "../scripts/built-pages.ts";
import { patternOf, routesUnder } from "./cached-addresses.ts";
import { routesOf } from "./page-handler.ts";

const build = (await builtPages()).build as ServerBuild;

test.each(["account", "operator"])(
  "an address of %s leads to the same page among the section's routes as among all",
  (section) => {
    const own = { ...build, routes: routesOf(build, section) };
    const [all, few] = [build, own].map((each) => routesUnder(each, undefined));
    const patterns = Object.keys(build.routes).map((id) => patternOf(build, id));
    const addresses = patterns
      .filter((pattern) => pattern.startsWith(`/${section}/`))
      .map((pattern) => pattern.replace(/:\w+|\*/g, "x"));
    expect(addresses.length).toBeGreaterThan(30);
    for (const address of [...addresses, `/${section}/nowhere`, `/${section}/x/y/z`]) {
      const [right, found] = [all, few].map((routes) =>
        matchRoutes(routes ?? [], address)?.map(({ route, params }) => [route.id, params]),
      );
      expect(found, address).toEqual(right);
    }
  },
);
