import type { ServerBuild } from "react-router";
import { expect, test } from "vitest";
import type { App } from "./app-context.ts";
import type { RenderPage } from "./cached-pages.ts";
import type { PriceFeed } from "./markets/price-feed.ts";
import { openLog } from "./platform/log/log.ts";
import { openRoutes } from "./web.ts";

const closedFeed: PriceFeed = {
  join: () => "too-many",
  clientCount: () => 0,
  stop: async () => {},
};

const aPage = async () =>
  new Response("<p>A page</p>", {
    headers: { "content-type": "text/html", "set-cookie": "flash=x; Path=/; HttpOnly" },
  });

/** The product's routes with one page and without a database. */
function openAt(appUrl: string, renderPage: RenderPage = aPage, log = openLog("silent")) {
  const app = {
    config: { appUrl, trustedProxies: 0 },
    log,
    auth: {
      secret: "s".repeat(32),
      secretBefore: null,
      secureCookies: appUrl.startsWith("https:"),
    },
    now: () => new Date(),
  } as unknown as App;
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

test("a page that names no caching of its own is kept by no browser and by no cache on the way", async () => {
  const { headers } = await openAt("https://mining.example.com")("/");
  expect(headers.get("cache-control")).toBe("private, no-store");
});

test.each(["text/html", "*/*"])(
  "what fails is told without the error's words, its stack or its values, to who takes %s",
  async (accept) => {
    const failing = async () => {
      throw new Error("password of s3cret@example.com in /srv/assay/server/web.ts");
    };
    const answer = await openAt("https://mining.example.com", failing)("/", {
      headers: { accept },
    });
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toMatch(/s3cret|web\.ts|node_modules|\bat \S+:\d/);
  },
);

test("another site's form is written down, without what it holds", async () => {
  const lines: Array<Record<string, unknown>> = [];
  const log = openLog("info", { write: (line) => lines.push(JSON.parse(line)) });
  const body = new URLSearchParams({ email: "s3cret@example.com" });
  await openAt(
    "https://mining.example.com",
    aPage,
    log,
  )("/login", {
    method: "POST",
    body,
    headers: { origin: "https://elsewhere.example" },
  });
  expect(lines).toMatchObject([
    {
      method: "POST",
      path: "/login",
      status: 403,
      msg: "request refused",
      origin: "https://elsewhere.example",
      appUrl: "https://mining.example.com",
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain("s3cret");
});

test("every cookie that the server sets is for TLS and this very host alone, where there is TLS", async () => {
  const secured = await openAt("https://mining.example.com")("/");
  expect(secured.headers.getSetCookie()).toEqual(["__Host-flash=x; Path=/; HttpOnly; Secure"]);
  const plain = await openAt("http://127.0.0.1:3000")("/");
  expect(plain.headers.getSetCookie()).toEqual(["flash=x; Path=/; HttpOnly"]);
});
