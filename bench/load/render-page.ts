import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { arrayBuffer } from "node:stream/consumers";
import type { EntryContext, RouterContextProvider, ServerBuild } from "react-router";
import { openApp } from "#server/open-app.ts";
import { readConfig } from "#server/platform/config/read-config.ts";
import { openLog } from "#server/platform/log/log.ts";
import { openRoutes } from "#server/web.ts";
import { builtPages } from "../../scripts/built-pages.ts";
import { reachDatabase } from "../../scripts/reach-database.ts";

/**
 * Node's own server that renders one page of the product with React for each request, from what the loaders gave
 * once: the same components and the same markup, but no session, no database, no router's matching. A program of
 * its own.
 */
const [dataDir = "", path = "", cookie = ""] = process.argv.slice(2);
const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: "silent" });
const { applicationUrl } = await reachDatabase(config);
const app = openApp(config, openLog("silent"), applicationUrl);
const build = (await builtPages()).build as ServerBuild;
const render = build.entry.module.default as unknown as Render;

const rendered: Parameters<Render>[] = [];
const entry = {
  ...build.entry,
  module: {
    ...build.entry.module,
    default: (...given: Parameters<Render>) => {
      rendered.push(given);
      return new Response("kept");
    },
  },
} as unknown as ServerBuild["entry"];
const request = new Request(config.appUrl + path, { headers: { cookie } });
await openRoutes(app, { build: { ...build, entry } }).fetch(request, {
  incoming: { socket: { remoteAddress: "127.0.0.1" } },
} as never);
await app.db.$client.end();

const [given] = rendered;
if (!given) throw new Error(`${path} was not rendered`);
const [asked, status, , page, context] = given;
const handoff = page.serverHandoffStream;
const data = handoff ? new Uint8Array(await arrayBuffer(handoff)) : new Uint8Array();

const server = createServer(async (_request, response) => {
  // The loaders' data, which the page brings along, can be read once from each stream.
  const serverHandoffStream = new ReadableStream({
    start(controller) {
      controller.enqueue(data);
      controller.close();
    },
  });
  const whole = { ...page, serverHandoffStream } as EntryContext;
  const answer = await render(asked, status, new Headers(), whole, context);
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(await answer.text());
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

type Render = (
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
) => Response | Promise<Response>;
