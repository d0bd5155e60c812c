import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, expect, test } from "vitest";
import { inTurn } from "./in-turn.ts";

const under = new Set<ServerResponse>();
let begun: string[] = [];
let most = 0;
const server = createServer(
  inTurn((request, response) => {
    under.add(response);
    begun.push(request.url ?? "");
    most = Math.max(most, under.size);
    setImmediate(() => {
      under.delete(response);
      response.end("answered\n");
    });
  }),
);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => server.close());

/** Sends so many requests behind each other; resolves with what came back when the connection is closed. */
function pipeline(count: number): Promise<string> {
  begun = [];
  most = 0;
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let got = "";
    socket.on("data", (data) => {
      got += data;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(got));
    const requests = Array.from({ length: count }, (_, n) => {
      const end = n === count - 1 ? "connection: close\r\n" : "";
      return `GET /${n} HTTP/1.1\r\nhost: a\r\n${end}\r\n`;
    });
    socket.write(requests.join(""));
  });
}

test("requests sent behind each other are all answered, in order, and few at a time", async () => {
  const got = await pipeline(200);
  expect(got.match(/answered/g)).toHaveLength(200);
  expect(begun).toEqual(Array.from({ length: 200 }, (_, n) => `/${n}`));
  expect(most).toBe(16);
});

test("a connection that sends hundreds without waiting for an answer is closed", async () => {
  const got = await pipeline(2_000);
  expect(got).not.toContain("answered");
  expect(begun).toHaveLength(16);
});
