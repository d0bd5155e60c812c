import type { ServerBuild } from "react-router";
import { expect, test } from "vitest";
import type { App } from "./app-context.ts";
import type { PriceFeed } from "./markets/price-feed.ts";
import { openLog } from "./platform/log.ts";
import { openRoutes } from "./web.ts";

const closedFeed: PriceFeed = {
  join: () => "too-many",
  clientCount: () => 0,
  stop: async () => {},
};

/** The product's routes with one page and without a database. */
function openAt(appUrl: string) {
  const app = {
    config: { appUrl, trustedProxies: 0 },
    log: openLog("silent"),
    now: () => new Date(),
  } as unknown as App;
  const renderPage = async () =>
    new Response("<p>A page</p>", {
      headers: { "content-type": "text/html", "set-cookie": "flash=x; Path=/; HttpOnly" },
    });
  // As in development, where no file of a build is looked for.
  const pages = { build: {} as ServerBuild, middleware: () => {} };
  const routes = openRoutes(app, pages, closedFeed, {
    renderPage,
    patternOf: (path) => path,
    kept: null,
  });
  const socket = { incoming: { socket: { remoteAddress: "192.0.2.1" } } };
  return (path: string, init?: RequestInit) => routes.request(appUrl + path, init, socket);
}

const answers: Array<[string, string, RequestInit | undefined]> = [
  ["a page", "/", undefined],
  ["a sign of life", "/livez", undefined],
  ["a failing health", "/readyz", undefined],
  ["a refused form", "/login", { method: "POST", body: new URLSearchParams({ a: "b" }) }],
];

test.each(answers)(
  "every answer, page or not, forbids guessing its type and framing it: %s",
  async (_, path, init) => {
    const { headers } = await openAt("http://127.0.0.1:3000")(path, init);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const policy = headers.get("content-security-policy");
    for (const part of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(part);
    }
    expect(headers.get("strict-transport-security")).toBeNull();
  },
);

test.each(answers)(
  "every answer tells browsers to insist on TLS, where there is TLS: %s",
  async (_, path, init) => {
    const { headers } = await openAt("https://mining.example.com")(path, init);
    expect(headers.get("strict-transport-security")).toBe("max-age=63072000; includeSubDomains");
  },
);

test("every cookie that the server sets is for TLS and this very host alone, where there is TLS", async () => {
  const secured = await openAt("https://mining.example.com")("/");
  expect(secured.headers.getSetCookie()).toEqual(["__Host-flash=x; Path=/; HttpOnly; Secure"]);
  const plain = await openAt("http://127.0.0.1:3000")("/");
  expect(plain.headers.getSetCookie()).toEqual(["flash=x; Path=/; HttpOnly"]);
});
