import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { renderToPipeableStream } from "react-dom/server";
import { markupTree } from "./markup-tree.ts";

/** Node's own server that renders one tree with React for each request, and does nothing else. A program of its own. */
const tree = markupTree(readFileSync(process.argv[2] ?? "", "utf8"));
const server = createServer((_request, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8");
  const stream = renderToPipeableStream(tree, { onShellReady: () => stream.pipe(response) });
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
