import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { buildWhenNeeded } from "../../scripts/build-pages.ts";
import { builtPages } from "../../scripts/built-pages.ts";
import type { App } from "../../server/app-context.ts";
import { openApp } from "../../server/open-app.ts";
import { readConfig } from "../../server/platform/config/read-config.ts";
import { openLog } from "../../server/platform/log/log.ts";
import { openRoutes } from "../../server/web.ts";
import { patient, type TestDatabase, testDatabase } from "./test-database.ts";

export interface TestApp extends TestDatabase {
  app: App;
  /** Sends a request through everything but the socket. `cookie` is whose it is, `address` where from. */
  request(
    path: string,
    options?: {
      form?: Record<string, string> | FormData | ReadableStream<Uint8Array>;
      /** GET without a form, POST with one when absent. */
      method?: string;
      cookie?: string;
      address?: string;
      origin?: string;
      /** What kind of answer is wanted; any when absent. */
      accept?: string;
      /** What else a browser says. */
      headers?: Record<string, string>;
    },
  ): Promise<Response>;
  /** A public page as it is now, and not as it was some seconds ago: a form of the console was sent. */
  readAnew(path: string): Promise<string>;
}

/** Tests ask nobody in the world for prices. */
const nobodyIsAsked = { PRICE_SOURCES: "off", BITCOIN_NETWORK_SOURCE: "off" };

/**
 * The product on a database and a data directory of this test file's own, with the built pages.
 * `through` may put something between the product and its database.
 */
export async function testApp(
  env: Record<string, string> = {},
  through?: (applicationUrl: string) => Promise<string>,
): Promise<TestApp> {
  buildWhenNeeded();
  const database = await testDatabase();
  const dataDir = mkdtempSync(path.join(tmpdir(), "assay-app-"));
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: "silent", ...nobodyIsAsked, ...env });
  const url = await (through?.(database.applicationUrl) ?? database.applicationUrl);
  const app = openApp(config, openLog("silent"), url);
  const routes = openRoutes(app, await builtPages());
  afterAll(async () => {
    await app.db.$client.end();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const tested: TestApp = {
    ...database,
    // Connections that know the tables already, where nothing stands between.
    db: through ? database.db : patient(app.db),
    app,
    async request(target, { form, method, cookie, accept, headers: more, ...from } = {}) {
      const { address = "192.0.2.1", origin = config.appUrl } = from;
      const headers = new Headers({
        ...more,
        ...(cookie && { cookie }),
        ...(accept && { accept }),
      });
      if (form) headers.set("origin", origin);
      const sent: RequestInit & { duplex?: "half" } = {
        headers,
        redirect: "manual",
        method: method ?? (form ? "POST" : "GET"),
        ...(form && {
          body: bodyOf(form),
          duplex: "half",
        }),
      };
      // As it comes from a proxy that speaks TLS.
      const request = new Request(config.appUrl.replace("https:", "http:") + target, sent);
      return routes.fetch(request, { incoming: { socket: { remoteAddress: address } } } as never);
    },
    async readAnew(target) {
      await tested.request("/operator/content", { form: {} });
      return (await tested.request(target)).text();
    },
  };
  return tested;
}

function bodyOf(form: Record<string, string> | FormData | ReadableStream<Uint8Array>) {
  const isBody = form instanceof FormData || form instanceof ReadableStream;
  return isBody ? form : new URLSearchParams(form);
}

/** What a browser would send back of the cookies that an answer sets. */
export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
