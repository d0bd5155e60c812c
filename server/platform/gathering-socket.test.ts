import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { GatheringSocket } from "./gathering-socket.ts";

test("sends in one piece what is held together by several in one turn", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const socket = new GatheringSocket();
  const arrived = once(server, "connection") as Promise<[Socket]>;
  socket.setNoDelay().connect(port, "127.0.0.1");
  await once(socket, "connect");
  const [other] = await arrived;
  const pieces: string[] = [];
  other.on("data", (piece) => pieces.push(piece.toString()));
  const hold = (words: string) => {
    socket.cork();
    socket.write(words);
    socket.uncork();
  };
  hold("one ");
  await Promise.resolve();
  hold("two ");
  expect(socket.writableLength).toBe("one two ".length);
  socket.write("three");
  await once(other, "data");
  expect(socket.writableLength).toBe(0);
  socket.end("four");
  await once(other, "end");
  expect(pieces).toEqual(["one two three", "four"]);
  server.close();
});
