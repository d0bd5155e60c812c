import { readFileSync } from "node:fs";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

/** A bare Hono handler that returns the same bytes every time. A program of its own. */
const [file = "", headersFile = ""] = process.argv.slice(2);
const bytes = readFileSync(file);
const headers = JSON.parse(readFileSync(headersFile, "utf8")) as Record<string, string>;
const hono = new Hono();
hono.get("/", (c) => c.body(new Uint8Array(bytes), 200, headers));
serve({ fetch: hono.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`);
});
