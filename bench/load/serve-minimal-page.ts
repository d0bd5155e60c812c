import path from "node:path";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { createRequestHandler, type ServerBuild } from "react-router";

/** The minimal page of the same stack, served as the product serves its own. A program of its own. */
const folder = "build/minimal-page";
const build = (await import(path.resolve(folder, "server/index.js"))) as ServerBuild;
const handle = createRequestHandler(build, "production");
const hono = new Hono();
hono.use("/assets/*", serveStatic({ root: `${folder}/client`, precompressed: true }));
hono.use(compress());
hono.get("/", (c) => handle(c.req.raw));
serve({ fetch: hono.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`);
});
