import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { type App, appContext, type RequestFacts, requestContext } from "./app-context.ts";
import { type CachedPages, openCachedPages, type RenderPage } from "./cached-pages.ts";
import { watchAlarms } from "./console/alarms/watch-alarms.ts";
import { answerHealth, type Health, openHealth } from "./health.ts";
import { openedLately } from "./identity/step-up/opened-lately.ts";
import { limitAnonymousRequests } from "./limit-anonymous-requests.ts";
import { openCandles } from "./markets/candles/serve-candles.ts";
import { openPriceFeed, type PriceFeed } from "./markets/price-feed.ts";
import { answerOneClick } from "./newsletter/answer-one-click.ts";
import { openPageHandler } from "./page-handler.ts";
import { Busy } from "./platform/busy.ts";
import { ConfigError } from "./platform/config.ts";
import { isUnreadableText } from "./platform/database/database-failure.ts";
import { barePage } from "./platform/http/bare-page.ts";
import { boundConnections } from "./platform/http/bound-connections.ts";
import { clientAddress } from "./platform/http/client-address.ts";
import { compressAnonymousPage } from "./platform/http/compress-anonymous-page.ts";
import { inTurn } from "./platform/http/in-turn.ts";
import type { Measured } from "./platform/http/request-metrics.ts";
import { hasResumedFiles, restoreFormFiles } from "./platform/http/restore-form-files.ts";
import {
  allowNonce,
  plainAnswerHeaders,
  securityHeaders,
} from "./platform/http/security-headers.ts";
import { isOutage } from "./platform/is-outage.ts";
import { lowerThreadPoolPriority } from "./platform/lower-thread-pool-priority.ts";
import { clientNetwork } from "./platform/rate-limit.ts";
import { refusedFilePage } from "./refused-file-page.ts";
import { isDecodable, noPage, openRoutePatterns } from "./route-patterns.ts";
import { takeBodies } from "./take-body.ts";

export interface Web {
  port: number;
  /** What each of its processes measured of itself. */
  measured(): Promise<Measured[]>;
  /** Says that it is not ready, for `drainSeconds` while it goes on; then takes no new requests, finishes those under way for at most 5 s, then closes. */
  stop(): Promise<void>;
}

export interface Pages {
  /** The pages as built, or as the development server has them at this moment. */
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** Development only: serves modules and hot updates before anything else. */
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
}

/**
 * Starts HTTP on the configured host and port.
 *
 * @throws ConfigError when the port is taken or the host is not this machine's.
 */
export async function startWeb(app: App, pages: Pages): Promise<Web> {
  const feed = openPriceFeed(app);
  const site = openSite(app, pages);
  const health = openHealth(app);
  const listener = getRequestListener(openRoutes(app, pages, feed, site, health).fetch);
  const { middleware } = pages;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    // Who keeps a connection would otherwise send the next request into one that is being closed.
    if (health.isDraining()) response.setHeader("connection", "close");
    if (answerHealth(health, request, response)) return;
    if (middleware) middleware(request, response, () => void listener(request, response));
    else if (!answerAtOnce(app, site.kept, request, response)) void listener(request, response);
  };
  // Without a host only health is told; everything else is refused by the listener.
  const server = createServer({ requireHostHeader: false }, inTurn(answer));
  boundConnections(server, mostConnections);
  // A body has a shorter time of its own, which is answered; this ends what is not even read.
  server.headersTimeout = 20_000;
  // Whoever takes nothing of an answer, or waits for one that does not come, is let go.
  server.timeout = 120_000;
  server.requestTimeout = 120_000;
  // Longer than a proxy keeps an idle connection: its next request must not meet our closing it.
  server.keepAliveTimeout = 75_000;
  await listen(server, app.config.host, app.config.port);
  await lowerThreadPoolPriority();
  const alarms = watchAlarms(app);
  site.kept?.follow();
  void site.kept?.renderAll();
  return {
    port: (server.address() as AddressInfo).port,
    measured: async () => (app.metrics ? [await app.metrics.measured()] : []),
    async stop() {
      alarms.stop();
      health.drain();
      await wait(app.config.drainSeconds * 1_000);
      // Streams end by themselves only when the browser goes.
      await Promise.all([feed.stop(), close(server)]);
      await site.kept?.stop();
    },
  };
}

/** Of one process: more than may follow prices. */
const mostConnections = 24_000;

interface Site {
  renderPage: RenderPage;
  /** The pattern of an address, for the log. */
  patternOf(path: string): string;
  /** Null in development, where every page is rendered for everyone who asks. */
  kept: CachedPages | null;
}

/**
 * Whose forms are taken is decided before a page is asked for (`csrf`). The router would compare `Origin` with a request's own address,
 * which behind a proxy that speaks TLS is another one: it would refuse every form.
 */
const decidedBefore = (build: ServerBuild): ServerBuild => ({
  ...build,
  allowedActionOrigins: ["**"],
});

function openSite(app: App, { build, middleware }: Pages): Site {
  const handlePage =
    typeof build === "function"
      ? createRequestHandler(
          async () => decidedBefore(await build()),
          middleware ? "development" : "production",
        )
      : openPageHandler(decidedBefore(build));
  const renderPage = refusedFilePage(async (request, facts) => {
    const context = new RouterContextProvider();
    context.set(appContext, app);
    context.set(requestContext, facts);
    return asFailed(facts, await handlePage(request, context));
  });
  if (typeof build === "function") return { renderPage, patternOf: (path) => path, kept: null };
  const patternOf = openRoutePatterns(build);
  return { renderPage, patternOf, kept: openCachedPages(app, build, renderPage) };
}

/** Everything between a request and a page. Without a socket, for tests. */
export function openRoutes(
  app: App,
  pages: Pages,
  feed: PriceFeed = openPriceFeed(app),
  { renderPage, patternOf, kept }: Site = openSite(app, pages),
  health: Health = openHealth(app),
): Hono<{ Bindings: HttpBindings }> {
  const hono = new Hono<{ Bindings: HttpBindings }>();
  hono.onError((error, c) => failed(app, c, error, patternOf(c.req.path)));
  hono.use(async (c, next) => {
    await next();
    // A page has set its own; a stream has been sent already.
    if (c.res === RESPONSE_ALREADY_SENT || c.res.headers.has("content-security-policy")) return;
    plainAnswerHeaders(c.res.headers, app.config);
  });
  hono.use(async (c, next) => (methods.includes(c.req.method) ? next() : refuseMethod(c)));
  for (const address of ["/livez", "/readyz"]) {
    hono.get(address, async (_c, next) => {
      const answer = await health.answer(address);
      return answer ? new Response(answer.body, answer) : next();
    });
  }
  hono.get("/events/prices", (c) => streamPrices(app, feed, c));
  const answerCandles = openCandles(app);
  hono.get("/market/candles/:file", async (c, next) => {
    const answer = await answerCandles(c.req.param("file"), c.req.raw);
    return answer ?? next();
  });
  if (kept) hono.use(cachedPages(app, kept, patternOf));
  if (!pages.middleware) {
    hono.use(
      "/assets/*",
      serveStatic({ root: "./build/client", precompressed: true, onFound: cacheForever }),
      // A version that is on its way may have it: a proxy asks the next product, and no cache keeps this.
      async (c) => c.text("There is no such file.\n", 404, { "cache-control": "no-store" }),
    );
    // The captions of the tour, a kind that Hono does not know.
    hono.get("/tour/tour.vtt", async (c, next) => {
      await next();
      if (c.res.ok) c.header("content-type", "text/vtt; charset=utf-8");
    });
    // Named one by one: a page's address is not looked for on the disk.
    for (const name of readdirSync("build/client")) {
      if (name === "assets") continue;
      hono.use(
        `/${name}/*`,
        serveStatic({ root: "./build/client", precompressed: true, onFound: cacheForAnHour }),
      );
    }
  }
  const takeBody = takeBodies(app.auth);
  // A mail program that unsubscribes its owner has neither cookie nor origin: the token in the address is its right.
  hono.post("/newsletter/unsubscribe", takeBody, async (c, next) => {
    const started = performance.now();
    const answer = await answerOneClick(app, c.req.raw);
    const { method, path } = c.req;
    const requestId = randomUUID();
    if (answer) logRequest(app, { method, path, status: answer.status, requestId, started });
    return answer ?? next();
  });
  // A form of another site must not act for a person who is signed in here.
  hono.use(csrf({ origin: (origin, c) => ownOrigins(app, c).includes(origin) }));
  hono.use(takeBody);
  const limited = limitAnonymousRequests(app.auth);
  hono.all("*", async (c) => {
    if (!isDecodable(new URL(c.req.url).pathname)) return tellUnreadable(app, c);
    const nonce = randomBytes(16).toString("base64");
    const requestId = randomUUID();
    const started = performance.now();
    const { raw } = c.req;
    const request = hasResumedFiles(raw) ? await restoreFormFiles(raw) : raw;
    const isStranger = !openedLately(app.auth, c.req.header("cookie") ?? "");
    const clientAddress = addressOf(c, app);
    const facts: RequestFacts = { requestId, nonce, clientAddress, failure: null, isStranger };
    const response = await unlessBusy(c, () =>
      limited(request, clientAddress, () => renderPage(request, facts)),
    );
    const type = response.headers.get("content-type") ?? "";
    if (type.startsWith("text/") && !type.includes("charset=")) {
      response.headers.set("content-type", `${type}; charset=utf-8`);
    }
    securityHeaders(response.headers, {
      sources: allowNonce(nonce),
      requestId,
      config: app.config,
      development: pages.middleware !== undefined,
    });
    logRequest(app, {
      method: c.req.method,
      path: patternOf(c.req.path),
      status: response.status,
      requestId,
      started,
    });
    return compressAnonymousPage(c.req.raw, response);
  });
  return hono;
}

/** Answers from memory what is fresh there, without all that stands between other requests and their pages. */
function answerAtOnce(
  app: App,
  kept: CachedPages | null,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const started = performance.now();
  const { method = "", url = "", headers } = request;
  const requestId = randomUUID();
  const answer = kept?.answerAtOnce({
    method,
    requestId,
    address: url,
    cookie: headers.cookie,
    acceptEncoding: headers["accept-encoding"],
    ifNoneMatch: headers["if-none-match"],
  });
  if (!answer) return false;
  response.writeHead(answer.status, answer.headers).end(answer.body);
  const [path = ""] = url.split("?");
  logRequest(app, { method, path, status: answer.status, requestId, started, kept: true });
  return true;
}

/** Whose forms may change what everybody is shown: staff's, and those of a customer who withdraws a text. */
const changesPages = /^\/(?:operator|account\/testimonial)\b/i;

/** Answers from memory what can be, after rendering it if need be; what is sent by forms may change it. */
function cachedPages(app: App, kept: CachedPages, patternOf: Site["patternOf"]): MiddlewareHandler {
  return async (c, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    const { method, path, url } = c.req;
    const asked = {
      method,
      requestId,
      address: url.slice(url.indexOf("/", "https://".length)),
      cookie: c.req.header("cookie"),
      acceptEncoding: c.req.header("accept-encoding"),
      ifNoneMatch: c.req.header("if-none-match"),
    };
    const answer = await unlessBusy(c, () => kept.answer(asked));
    if (answer instanceof Response) {
      logRequest(app, { method, path: patternOf(path), status: answer.status, requestId, started });
      return answer;
    }
    if (answer) {
      const { status, headers, body } = answer;
      logRequest(app, { method, path: patternOf(path), status, requestId, started, kept: true });
      return new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers });
    }
    await next();
    if (method !== "POST" || !changesPages.test(path)) return;
    const told = expire(app, kept);
    if (c.res.status < 500) await told;
    return;
  };
}

/** Before the form is answered: its sender looks next. Where the others cannot be told, their pages are 15 s behind at most. */
async function expire({ log }: App, kept: CachedPages): Promise<void> {
  await kept.expire().catch((error) => log.warn({ err: error }, "pages may be some seconds old"));
}

/** A page that failed, but not by our fault, says so by its status: whoever gets a 503 asks again in five seconds. */
function asFailed({ failure }: RequestFacts, response: Response): Response {
  if (failure === null || response.status !== 500) return response;
  const headers = new Headers(response.headers);
  if (failure === 503) headers.set("retry-after", "5");
  return new Response(response.body, { status: failure, headers });
}

/** Not at once: a client that asks again at once would be refused thousands of times a second. */
const refusedAfterMs = 1_000;

/** What the work gives; where too many wait for it already, an answer that says when to come back. */
async function unlessBusy<T>(c: Context, work: () => Promise<T>): Promise<T | Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
    await wait(refusedAfterMs);
    return tellLater(c, error.retryAfterSeconds);
  }
}

/** Says that there is nothing to be had now. */
function tellLater(c: Context, retryAfterSeconds: number): Response {
  c.header("cache-control", "no-store");
  c.header("retry-after", String(retryAfterSeconds));
  return readsPages(c) ? c.html(barePage(503), 503) : c.text("This cannot be done now.\n", 503);
}

/** How the site is asked. A route's action would be run for others, too, past whoever looks for `POST` alone. */
const methods = ["GET", "HEAD", "POST"];

function refuseMethod(c: Context): Response {
  c.header("allow", methods.join(", "));
  c.header("cache-control", "no-store");
  return readsPages(c) ? c.html(barePage(405), 405) : c.text("Method Not Allowed\n", 405);
}

/** An address that cannot be decoded is nobody's. The router does not get to see it: it would print it, with what it may hold. */
function tellUnreadable(app: App, c: Context): Response {
  const { method } = c.req;
  const facts = { path: noPage, status: 404, requestId: randomUUID(), started: performance.now() };
  logRequest(app, { method, ...facts });
  c.header("cache-control", "no-store");
  return readsPages(c) ? c.html(barePage(404), 404) : c.text("Not Found", 404);
}

/** What fails before it comes to a page. The log says it without the values it met: a token may be among them. */
function failed(app: App, c: Context, error: Error, path: string): Response {
  const { log, metrics, config } = app;
  const { method } = c.req;
  const answer = answerTo(c, error, config.appUrl);
  const { status } = answer;
  // Refused by a rule, such as the one about other sites' forms. Where that is every form, APP_URL is not what visitors type.
  if (error instanceof HTTPException) {
    const origin = c.req.header("origin")?.slice(0, 200);
    const why = status === 403 ? { origin, appUrl: config.appUrl } : {};
    log.warn({ method, path, status, ...why }, "request refused");
  } else log.error({ err: error, method, path }, "request failed");
  metrics?.count({ route: path, method, status, kept: false, seconds: 0 });
  return answer;
}

function answerTo(c: Context, error: Error, appUrl: string): Response {
  if (error instanceof HTTPException) {
    const { status } = error;
    if (!readsPages(c)) return error.getResponse();
    return c.html(barePage(status, status === 403 ? appUrl : undefined), status);
  }
  c.header("cache-control", "no-store");
  if (isUnreadableText(error)) return c.text("This cannot be read.\n", 400);
  if (isOutage(error)) return tellLater(c, 5);
  return readsPages(c) ? c.html(barePage(500), 500) : c.text("This failed.\n", 500);
}

/** Whether a browser asks for something to show; scripts and other programs are told in a word. */
function readsPages(c: Context): boolean {
  return c.req.header("accept")?.includes("text/html") ?? false;
}

/** Behind a proxy that speaks TLS the request's own origin is not the one that browsers see. */
function ownOrigins(app: App, c: Context): string[] {
  return [new URL(c.req.url).origin, new URL(app.config.appUrl).origin];
}

/** Prices as they change, for as long as the browser stays: docs/decisions/0008. */
function streamPrices(app: App, feed: PriceFeed, c: Context<{ Bindings: HttpBindings }>): Response {
  if (c.req.method === "HEAD") return c.body(null, 204);
  const stream = c.env.outgoing as ServerResponse;
  const headers = new Headers();
  plainAnswerHeaders(headers, app.config);
  stream.setHeaders(headers);
  const joined = feed.join(stream, clientNetwork(addressOf(c, app)));
  if (joined === "joined") return RESPONSE_ALREADY_SENT;
  c.header("retry-after", "60");
  return c.text("Too many streams of prices are open.", joined === "too-many" ? 503 : 429);
}

function addressOf(c: Context<{ Bindings: HttpBindings }>, app: App): string {
  return clientAddress({
    socketAddress: c.env.incoming.socket.remoteAddress ?? "unknown",
    forwardedFor: c.req.header("x-forwarded-for"),
    trustedProxies: app.config.trustedProxies,
  });
}

/** Says what was asked and how it went. Query strings stay out, and of a path only its pattern is said: both may hold tokens. */
function logRequest(
  app: App,
  {
    started,
    kept = false,
    ...request
  }: {
    requestId: string;
    method: string;
    path: string;
    status: number;
    started: number;
    /** Whether it was answered from memory. */
    kept?: boolean;
  },
): void {
  const durationMs = performance.now() - started;
  app.log.requests.info({ ...request, durationMs: Math.round(durationMs) }, "request");
  const { path: route, method, status } = request;
  app.metrics?.count({ route, method, status, kept, seconds: durationMs / 1000 });
}

function cacheForever(_path: string, c: Context): void {
  c.header("cache-control", "public, max-age=31536000, immutable");
  c.header("x-content-type-options", "nosniff");
}

function cacheForAnHour(_path: string, c: Context): void {
  c.header("cache-control", "public, max-age=3600");
  c.header("x-content-type-options", "nosniff");
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      const line = taken
        ? `PORT ${port} on ${host} is taken: stop what uses it, or set PORT.`
        : `HOST ${host} or PORT ${port} cannot be used: ${error.message}`;
      reject(new ConfigError(line));
    });
    server.listen(port, host, resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), 5_000);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}
