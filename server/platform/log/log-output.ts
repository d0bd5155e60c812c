import { writeSync } from "node:fs";

export interface LogOutput {
  write(line: string): void;
  /** How many lines could not be written since the start, and why the last try failed; null: it did not. */
  lost(): { lines: number; failing: string | null };
  /** Writes what is left, as far as it can be written. */
  end(): void;
}

/**
 * Many lines go out in one write, half a second later at the latest: as many as a pipe takes whole (PIPE_BUF), since several
 * processes write into one (server/web-processes.ts).
 */
const atOnceBytes = 4096;
const waitMs = 500;
/** So much waits for an output that takes nothing: a full disk, a pipe that is not read. What comes after is dropped. */
const mostBytes = 256 * 1024;

/**
 * Lines for standard output. A busy site writes one for each request: writing each by itself took a fifth of the time in which a
 * page is sent from memory. An output that fails never stops the product: lines wait, the latest are dropped and counted, and
 * the first line that can be written again says how many.
 */
export function openLogOutput(
  write: (bytes: Buffer) => number = (bytes) => writeSync(1, bytes),
): LogOutput {
  const waiting: string[] = [];
  let waitingBytes = 0;
  /** The rest of what was written in part. */
  let rest: Buffer = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  let failing: string | null = null;
  let lines = 0;
  let untold = 0;

  const send = (bytes: Buffer) => {
    rest = bytes;
    while (rest.length > 0) {
      const taken = write(rest);
      if (taken === 0) throw Object.assign(new Error("nothing was taken"), { code: "EAGAIN" });
      rest = rest.subarray(taken);
    }
  };
  const takeLines = (): Buffer => {
    let bytes = 0;
    let lines = 0;
    for (const line of waiting) {
      const after = bytes + Buffer.byteLength(line);
      if (lines > 0 && after > atOnceBytes) break;
      bytes = after;
      lines += 1;
    }
    waitingBytes -= bytes;
    return Buffer.from(waiting.splice(0, lines).join(""));
  };
  const flush = () => {
    try {
      send(rest);
      if (untold > 0) add(droppedLine(untold));
      untold = 0;
      while (waiting.length > 0) send(takeLines());
      failing = null;
    } catch (error) {
      failing = (error as NodeJS.ErrnoException).code ?? "unknown";
    }
    clearTimeout(timer);
    timer = undefined;
    if (rest.length > 0 || waiting.length > 0) flushLater();
  };
  const add = (line: string) => {
    waiting.push(line);
    waitingBytes += Buffer.byteLength(line);
  };
  const flushLater = () => {
    timer ??= setTimeout(flush, waitMs).unref();
  };
  return {
    write(line) {
      if (rest.length + waitingBytes + line.length > mostBytes) {
        lines += 1;
        untold += 1;
        return;
      }
      if (waitingBytes + line.length > atOnceBytes && failing === null) flush();
      add(line);
      if (waitingBytes >= atOnceBytes && failing === null) flush();
      else flushLater();
    },
    lost: () => ({ lines, failing }),
    end: flush,
  };
}

function droppedLine(lines: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 40, time, lines, msg: "log lines were dropped: they could not be written" })}\n`;
}
