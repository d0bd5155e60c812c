import net from "node:net";
import { Refusal } from "#core/refusal.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log/log.ts";

/**
 * Asks whether a file holds malware that is known.
 *
 * Refuses with files/virus-found, and with files/scanner-away when nobody could say.
 */
export type VirusScan = (bytes: Uint8Array) => Promise<void>;

/** A file of 10 MB takes clamd a second or two; one that says nothing for so long is away. */
const patienceMs = 30_000;

/**
 * A scan by ClamAV's daemon over its INSTREAM command (clamd(8)), one connection for each file. Where the operator runs
 * none, nothing is asked; where he runs one and it does not answer, no file is taken: what he wanted checked is never
 * kept unchecked.
 */
export function openVirusScan(address: Config["clamd"], log: Log): VirusScan {
  if (!address) return async () => {};
  return async (bytes) => {
    const answer = await ask(address, bytes).catch((error: unknown) => {
      log.error({ err: error }, "clamd could not be asked about an upload");
      throw new Refusal("files/scanner-away");
    });
    const found = /^stream: (.+) FOUND$/.exec(answer)?.[1];
    if (found !== undefined) {
      log.warn({ found }, "an upload was refused: clamd knows what it holds");
      throw new Refusal("files/virus-found");
    }
    if (answer === "stream: OK") return;
    log.error({ answer: answer.slice(0, 200) }, "clamd did not scan an upload");
    throw new Refusal("files/scanner-away");
  };
}

/** One command, ended by a NUL: the file's length in four bytes and the file, then a length of nothing. */
function ask(address: NonNullable<Config["clamd"]>, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(address);
    const patience = setTimeout(() => {
      socket.destroy(new Error(`clamd said nothing for ${patienceMs / 1000} s`));
    }, patienceMs);
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      answer += text;
      // A verdict is a line.
      if (answer.length > 1000) socket.destroy(new Error("clamd said too much"));
    });
    socket.once("error", reject);
    socket.once("close", () => {
      clearTimeout(patience);
      resolve(answer.split("\0")[0]?.trim() ?? "");
    });
    socket.write("zINSTREAM\0");
    socket.write(lengthOf(bytes));
    socket.write(bytes);
    socket.write(lengthOf(new Uint8Array()));
  });
}

function lengthOf(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return length;
}
