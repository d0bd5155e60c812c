import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, expect, test } from "vitest";
import { boundConnections } from "./bound-connections.ts";

const answers: Array<() => void> = [];
const server = createServer((request, response) => {
  if (request.url === "/later") answers.push(() => response.end("at last"));
  else if (request.method === "GET") response.end("here");
});
boundConnections(server, 3);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
const open: Socket[] = [];
afterAll(() => {
  for (const socket of open) socket.destroy();
  server.close();
});

/** Opens a connection, sends this much of a request, and waits until the server has it. */
async function send(text: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  open.push(socket);
  socket.on("error", () => {});
  const seen = new Promise((resolve) => server.once(text ? "request" : "connection", resolve));
  socket.write(text);
  await seen;
  return socket;
}

const isClosed = (socket: Socket) =>
  new Promise<boolean>((resolve) => {
    if (socket.closed) resolve(true);
    socket.once("close", () => resolve(true));
    socket.resume();
  });

test("more connections than there is room for close the one that has waited for longest, last of all for its answer, and let in whoever comes", async () => {
  const answered = await send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  const sending = await send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx");
  const silent = await send("");
  // The one without a request goes first, then the one that does not end its own.
  const second = await send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  expect(await isClosed(silent)).toBe(true);
  const third = await send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  expect(await isClosed(sending)).toBe(true);
  // Where all wait for answers, the one that came first goes: nobody is kept out.
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("here");
  expect(await isClosed(answered)).toBe(true);
  const texts = [second, third].map(
    (socket) => new Promise<string>((resolve) => socket.once("data", (data) => resolve(`${data}`))),
  );
  for (const answer of answers) answer();
  for (const text of await Promise.all(texts)) expect(text).toContain("at last");
});
