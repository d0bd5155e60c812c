import type { ServerBuild } from "react-router";
import { expect, test } from "vitest";
import { readCachedAddresses } from "./cached-addresses.ts";

const route = (
  id: string,
  parentId: string | undefined,
  path: string | undefined,
  kept?: string[],
  more?: object,
) => ({
  id,
  parentId,
  path,
  ...(id === "home" && { index: true }),
  module: { default: () => null, ...(kept && { handle: { kept, ...more } }) },
});
const routes = [
  route("root", undefined, undefined),
  route("site", "root", undefined),
  route("home", "site", undefined, []),
  route("terms", "site", "terms", ["tab", "version"]),
  route("news", "site", "news/:slug", []),
  route("new", "site", "news/new"),
  route("account", "root", "account"),
  route("prices", "site", "prices", ["coin"], { choices: { coin: ["BTC", "ETH"] } }),
  route("faq", "site", "faq", ["q"]),
];
const build = { routes: Object.fromEntries(routes.map((each) => [each.id, each])) };
const { find, fixed } = readCachedAddresses(build as unknown as ServerBuild);

test("knows the pages without anything variable in them", () => {
  expect(fixed).toEqual(["/", "/terms", "/prices", "/faq"]);
});

test.each([
  ["/", "", "/"],
  ["/", "?utm=1", "/"],
  ["/TERMS//", "", "/terms"],
  ["/terms", "?version=2&x=1&tab=privacy&tab=other", "/terms?tab=privacy&version=2"],
  ["/terms", "?tab=", "/terms"],
  ["/terms", "?tab=a%26b", "/terms?tab=a%26b"],
  ["/news/first", "?page=2", "/news/first"],
  ["/News/First", "", "/news/First"],
  ["/news/new", "", null],
  ["/account", "", null],
  ["/nowhere", "", null],
  ["/prices", "?coin=ETH", "/prices?coin=ETH"],
  ["/prices", "?coin=made-up", "/prices"],
  ["/faq", "?q=%20fees+and+more%20", "/faq?q=fees+and+more"],
  ["/faq", "?q=%20", "/faq"],
  ["/faq", `?q=${"x".repeat(300)}`, `/faq?q=${"x".repeat(200)}`],
])("%s%s stands for %s", (pathname, search, address) => {
  expect(find(pathname, search)).toBe(address);
});
