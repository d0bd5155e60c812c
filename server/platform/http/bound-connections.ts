import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Keeps no more than so many connections open at a time. Where one more comes, the one is closed that has waited for its next request for
 * longest; where none does, the one that has been sending its body for longest; and where all wait for an answer, or follow prices, the one
 * that has done so for longest. Whoever comes is let in.
 */
export function boundConnections(server: Server, most: number): void {
  /** What each waits for: its next request (null), or the end of one. Whoever has waited for longest comes first. */
  const open = new Map<Socket, IncomingMessage | null>();
  const note = (socket: Socket, request: IncomingMessage | null) => {
    if (open.delete(socket)) open.set(socket, request);
  };
  const findFirst = (isIt: (request: IncomingMessage | null) => boolean) => {
    for (const [socket, request] of open) if (isIt(request)) return socket;
    return null;
  };
  server.on("connection", (socket: Socket) => {
    if (open.size >= most) {
      const closed = findFirst(isIdle) ?? findFirst(isSending) ?? findFirst(() => true);
      if (closed) open.delete(closed);
      closed?.destroy();
    }
    open.set(socket, null);
    socket.once("close", () => open.delete(socket));
  });
  server.on("request", (request, response) => {
    const { socket } = request;
    note(socket, request);
    response.once("close", () => {
      if (open.get(socket) === request) note(socket, null);
    });
  });
}

const isIdle = (request: IncomingMessage | null) => request === null;
const isSending = (request: IncomingMessage | null) => request !== null && !request.complete;
