import type { ServerBuild } from "react-router";
import { expect, test } from "vitest";
import type { App } from "./app-context.ts";
import type { PriceFeed } from "./markets/price-feed.ts";
import { openLog } from "./platform/log/log.ts";
import { openRoutePatterns } from "./route-patterns.ts";
import { openRoutes } from "./web.ts";

const route = (id: string, parentId: string | undefined, path: string | undefined) => ({
  id,
  parentId,
  path,
  ...(id === "home" && { index: true }),
  module: { default: () => null },
});
const routes = [
  route("root", undefined, undefined),
  route("home", "root", undefined),
  route("login", "root", "login"),
  route("receipt", "root", "receipt/:token"),
  route("account", "root", "account"),
  route("day", "account", "mining/:contractId/:day"),
  route("days", "account", "mining/:contractId/days.csv"),
  route("rest", "root", "*"),
];
const build = { routes: Object.fromEntries(routes.map((each) => [each.id, each])) };
const patternOf = openRoutePatterns(build as unknown as ServerBuild);

test.each([
  ["/", "/"],
  ["/_root.data", "/.data"],
  ["/login", "/login"],
  ["/LOGIN/", "/login"],
  ["/login.data", "/login.data"],
  ["/receipt/s3cret", "/receipt/:token"],
  ["/receipt/s3cret.data", "/receipt/:token.data"],
  ["/account/mining/s3cret/2026-11-23", "/account/mining/:contractId/:day"],
  ["/RECEIPT/s3cret/", "/receipt/:token"],
  ["/%72eceipt/s3cret", "/receipt/:token"],
  ["/receipt/a%2Fb", "/receipt/:token"],
  ["/receipt/s3cret/more", "(no page)"],
  ["/account/mining/s3cret/days.csv", "/account/mining/:contractId/days.csv"],
  ["/recipt/s3cret", "(no page)"],
  ["/receipt/%E0%A4%A", "(no page)"],
])("%s is called %s", (path, pattern) => {
  expect(patternOf(path)).toBe(pattern);
});

const closedFeed: PriceFeed = {
  join: () => "too-many",
  clientCount: () => 0,
  stop: async () => {},
};

test.each([
  ["/receipt/s3cret", undefined],
  ["/receipt/s3cret?token=s3cret", undefined],
  ["/receipt/s3cret.data", undefined],
  ["/recipt/s3cret", undefined],
  // Refused before it comes to a page.
  ["/receipt/s3cret", { method: "POST", body: new URLSearchParams({ a: "b" }) }],
])("no token of an address is written into the log: %s %o", async (path, init) => {
  let written = "";
  const log = openLog("info", {
    write: (line) => {
      written += line;
    },
  });
  const app = {
    config: { appUrl: "http://127.0.0.1:3000", trustedProxies: 0 },
    log,
    now: () => new Date(),
  } as unknown as App;
  const renderPage = async () => new Response("<p>A page</p>");
  const pages = { build: {} as ServerBuild, middleware: () => {} };
  const web = openRoutes(app, pages, closedFeed, { renderPage, patternOf, kept: null });
  const socket = { incoming: { socket: { remoteAddress: "192.0.2.1" } } };
  await web.request(`http://127.0.0.1:3000${path}`, init, socket);
  expect(written).toContain('"method":');
  expect(written).not.toContain("s3cret");
});
