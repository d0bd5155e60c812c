import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { sql } from "drizzle-orm";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { csrf } from "hono/csrf";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { type App, appContext, type RequestFacts, requestContext } from "./app-context.ts";
import { ConfigError } from "./platform/config.ts";
import { clientAddress } from "./platform/http/client-address.ts";
import { securityHeaders } from "./platform/http/security-headers.ts";
import { readMigrations } from "./platform/migrate.ts";

export interface Web {
  port: number;
  /** Takes no new requests, finishes those under way for at most 5 s, then closes. */
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
  const listener = getRequestListener(openRoutes(app, pages).fetch);
  const { middleware } = pages;
  const server = createServer((request, response) => {
    if (middleware) middleware(request, response, () => void listener(request, response));
    else void listener(request, response);
  });
  // A slow upload may take its time; a client that sends no headers may not.
  server.headersTimeout = 20_000;
  server.requestTimeout = 300_000;
  await listen(server, app.config.host, app.config.port);
  return { port: (server.address() as AddressInfo).port, stop: () => close(server) };
}

/** Everything between a request and a page. Without a socket, for tests. */
export function openRoutes(app: App, pages: Pages): Hono<{ Bindings: HttpBindings }> {
  const hono = new Hono<{ Bindings: HttpBindings }>();
  const handlePage = createRequestHandler(
    pages.build,
    pages.middleware ? "development" : "production",
  );
  hono.get("/livez", (c) => c.json({ status: "alive" }));
  hono.get("/healthz", (c) => health(app, c));
  if (!pages.middleware) {
    hono.use(
      "/assets/*",
      serveStatic({ root: "./build/client", precompressed: true, onFound: cacheForever }),
    );
    hono.use("*", serveStatic({ root: "./build/client", onFound: cacheForAnHour }));
  }
  // A form of another site must not act for a person who is signed in here.
  hono.use(csrf({ origin: (origin, c) => ownOrigins(app, c).includes(origin) }));
  hono.use(limitBody);
  hono.all("*", async (c) => {
    const nonce = randomBytes(16).toString("base64");
    const requestId = randomUUID();
    const started = performance.now();
    const context = new RouterContextProvider();
    context.set(appContext, app);
    const facts: RequestFacts = {
      requestId,
      nonce,
      clientAddress: addressOf(c, app),
      failure: null,
    };
    context.set(requestContext, facts);
    const response = asFailed(facts, await handlePage(c.req.raw, context));
    securityHeaders(response.headers, {
      nonce,
      requestId,
      config: app.config,
      development: pages.middleware !== undefined,
    });
    logRequest(app, c, response.status, requestId, started);
    return response;
  });
  return hono;
}

/** A page that failed, but not by our fault, says so by its status: whoever gets a 503 asks again in five seconds. */
function asFailed({ failure }: RequestFacts, response: Response): Response {
  if (failure === null || response.status !== 500) return response;
  const headers = new Headers(response.headers);
  if (failure === 503) headers.set("retry-after", "5");
  return new Response(response.body, { status: failure, headers });
}

/** Behind a proxy that speaks TLS the request's own origin is not the one that browsers see. */
function ownOrigins(app: App, c: Context): string[] {
  return [new URL(c.req.url).origin, new URL(app.config.appUrl).origin];
}

const limitForms = bodyLimit({ maxSize: 256 * 1024 });

/** The pages whose action reads a file as a stream, and stops at its own limit; the section's guard comes first. */
const takesFiles = /^\/account\/deposit(?:\/draft)?(?:\.data)?$/;

/** Forms are small, of whatever kind: all of them but these are read into memory whole. */
const limitBody: MiddlewareHandler = (c, next) => {
  const upload = c.req.header("content-type")?.startsWith("multipart/form-data");
  return upload && takesFiles.test(c.req.path) ? next() : limitForms(c, next);
};

async function health(app: App, c: Context): Promise<Response> {
  c.header("cache-control", "no-store");
  try {
    const applied = await app.db.execute<{ count: number }>(
      sql`select count(*)::int as count from schema_migrations`,
    );
    const migrated = applied.rows[0]?.count === readMigrations().length;
    const status = migrated ? "ok" : "migrating";
    return c.json(
      { status, database: "ok", migrations: migrated ? "done" : "missing" },
      migrated ? 200 : 503,
    );
  } catch {
    return c.json({ status: "failing", database: "unreachable" }, 503);
  }
}

function addressOf(c: Context<{ Bindings: HttpBindings }>, app: App): string {
  return clientAddress({
    socketAddress: c.env.incoming.socket.remoteAddress ?? "unknown",
    forwardedFor: c.req.header("x-forwarded-for"),
    trustedProxies: app.config.trustedProxies,
  });
}

/** Says what was asked and how it went. Query strings stay out: they may hold tokens. */
function logRequest(
  app: App,
  c: Context,
  status: number,
  requestId: string,
  started: number,
): void {
  const durationMs = Math.round(performance.now() - started);
  app.log.info(
    { requestId, method: c.req.method, path: c.req.path, status, durationMs },
    "request",
  );
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
