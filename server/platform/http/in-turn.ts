import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Line {
  underWay: number;
  waiting: Array<() => void>;
}

/** So many requests of one connection are under way at a time. */
const atATime = 16;
/** So many more wait for those; a connection that sends still more without having read its answers is closed. */
const places = 240;

/**
 * Answers no more than some requests of one connection at a time. Node hands over all that are sent behind each other at once,
 * thousands in one packet; browsers and proxies send the next when they have the answer.
 */
export function inTurn(answer: Answer): Answer {
  const lines = new WeakMap<Socket, Line>();
  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket);
    if (known) return known;
    const line = { underWay: 0, waiting: [] };
    lines.set(socket, line);
    return line;
  };
  return (request, response) => {
    const { socket } = request;
    const line = lineOf(socket);
    const begin = () => {
      line.underWay += 1;
      response.once("close", () => {
        line.underWay -= 1;
        if (!socket.destroyed) line.waiting.shift()?.();
      });
      answer(request, response);
    };
    if (socket.destroyed) return;
    if (line.underWay < atATime) begin();
    else if (line.waiting.length < places) line.waiting.push(begin);
    else socket.destroy();
  };
}
