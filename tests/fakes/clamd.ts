import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

/** What every scanner takes for a virus, put together here so that none takes this file for one. */
export const eicar = [
  "X5O!P%@AP[4\\PZX54(P^)7CC)7}$",
  "EICAR-STANDARD-ANTIVIRUS-TEST-FILE",
  "!$H+H*",
].join("");

export interface FakeClamd {
  /** As CLAMD is given. */
  address: string;
  /** How long each file was that it was shown. */
  scanned: number[];
  /** What it answers instead, from now on; null: what clamd would. */
  answers(line: string | null): void;
  stop(): Promise<void>;
}

/**
 * Speaks clamd's zINSTREAM on a free port, as clamd(8) writes it down: the command ended by a NUL, parts with their
 * length in four bytes of network order, a part of no length at the end, one line ended by a NUL as the answer.
 */
export async function startFakeClamd(): Promise<FakeClamd> {
  const scanned: number[] = [];
  let forced: string | null = null;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    void takeStream(socket).then((file) => {
      if (!file) return socket.end("UNKNOWN COMMAND\0");
      scanned.push(file.length);
      const verdict = file.includes(eicar) ? "stream: Eicar-Test-Signature FOUND" : "stream: OK";
      socket.end(`${forced ?? verdict}\0`);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    address: `tcp://127.0.0.1:${port}`,
    scanned,
    answers(line) {
      forced = line;
    },
    stop: () => new Promise((done) => server.close(() => done())),
  };
}

/** The file that is streamed, or null when it is not that command. */
function takeStream(socket: Socket): Promise<Buffer | null> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    socket.on("data", (more: Buffer) => {
      received = Buffer.concat([received, more]);
      const file = wholeStream(received);
      if (file !== undefined) resolve(file);
    });
  });
}

/** Undefined while something is missing. */
function wholeStream(received: Buffer): Buffer | null | undefined {
  const command = Buffer.from("zINSTREAM\0");
  if (received.length < command.length) return undefined;
  if (!received.subarray(0, command.length).equals(command)) return null;
  const parts: Buffer[] = [];
  let at = command.length;
  while (at + 4 <= received.length) {
    const length = received.readUInt32BE(at);
    if (length === 0) return Buffer.concat(parts);
    if (at + 4 + length > received.length) return undefined;
    parts.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return undefined;
}
