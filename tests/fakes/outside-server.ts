import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";

export interface OutsideServer {
  url: string;
  /** What was asked, oldest first. */
  requests: Array<{ path: string; headers: IncomingMessage["headers"] }>;
  /** Serves these bytes at a path from now on. */
  serve(path: string, answer: OutsideAnswer): void;
  stop(): Promise<void>;
}

export interface OutsideAnswer {
  body?: string | Uint8Array;
  status?: number;
  headers?: Record<string, string>;
  /** Answers in a way of its own. */
  misbehave?: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Somebody whom we ask over HTTP, on 127.0.0.1, that answers as it is told: also late, wrong, huge or never. */
export async function startOutsideServer(): Promise<OutsideServer> {
  const answers = new Map<string, OutsideAnswer>();
  const requests: OutsideServer["requests"] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://outside");
    requests.push({ path: pathname, headers: request.headers });
    response.on("error", () => {});
    const answer = answers.get(pathname) ?? { status: 404, body: "nothing here" };
    if (answer.misbehave) return answer.misbehave(request, response);
    response.writeHead(answer.status ?? 200, answer.headers);
    response.end(answer.body ?? "");
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    serve: (path, answer) => void answers.set(path, answer),
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Never says a word. */
export const hang = () => {};

/** A byte now and then, for ever. */
export function drip(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write("<"), 20);
  response.on("close", () => clearInterval(timer));
}

/** Says nothing of its length, and does not end. */
export function pourForEver(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const chunk = Buffer.alloc(64 * 1024, "<a>");
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", pour);
  pour();
}

/** A few kilobytes that unpack to hundreds of megabytes. */
export function packedBomb(): OutsideAnswer {
  const body = gzipSync(Buffer.alloc(300 * 1024 * 1024, " "));
  return { body, headers: { "content-encoding": "gzip", "content-type": "application/json" } };
}
