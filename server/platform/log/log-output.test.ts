import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openLogOutput } from "./log-output.ts";

let written = "";
let room = Number.POSITIVE_INFINITY;
let failure = "ENOSPC";

/** A disk with so much room left. */
function write(bytes: Buffer): number {
  if (room <= 0) throw Object.assign(new Error(failure), { code: failure });
  const taken = Math.min(room, bytes.length);
  room -= taken;
  written += bytes.subarray(0, taken).toString();
  return taken;
}

beforeEach(() => {
  vi.useFakeTimers();
  [written, room, failure] = ["", Number.POSITIVE_INFINITY, "ENOSPC"];
});
afterEach(() => void vi.useRealTimers());

test("writes many lines together, half a second later at the latest", () => {
  const output = openLogOutput(write);
  output.write("one\n");
  output.write("two\n");
  expect(written).toBe("");
  vi.advanceTimersByTime(500);
  expect(written).toBe("one\ntwo\n");
});

test("writes at once what is enough for one write, and the rest at the end", () => {
  const output = openLogOutput(write);
  output.write(`${"x".repeat(5_000)}\n`);
  expect(written).toHaveLength(5_001);
  output.write("last\n");
  output.end();
  expect(written.endsWith("last\n")).toBe(true);
});

test("gives a pipe whole lines that it takes at once, so that those of other processes never come between", () => {
  const writes: string[] = [];
  const output = openLogOutput((bytes) => {
    if (room <= 0) throw Object.assign(new Error(failure), { code: failure });
    return writes.push(bytes.toString()) && bytes.length;
  });
  room = 0;
  for (let n = 0; n < 100; n += 1) output.write(`${n} ${"é".repeat(150)}\n`);
  room = 1;
  output.end();
  expect(writes.join("").match(/^\d+ é{150}$/gm)).toHaveLength(100);
  for (const each of writes) {
    expect(Buffer.byteLength(each)).toBeLessThanOrEqual(4096);
    expect(each.endsWith("\n")).toBe(true);
  }
});

test.each(["ENOSPC", "EAGAIN", "EPIPE"])(
  "lines wait while the output fails with %s, and none is cut in two",
  (code) => {
    [room, failure] = [6, code];
    const output = openLogOutput(write);
    output.write("first\n");
    output.write("second\n");
    vi.advanceTimersByTime(5_000);
    expect(output.lost()).toEqual({ lines: 0, failing: code });
    room = 3;
    vi.advanceTimersByTime(500);
    room = Number.POSITIVE_INFINITY;
    vi.advanceTimersByTime(500);
    expect(written).toBe("first\nsecond\n");
    expect(output.lost()).toEqual({ lines: 0, failing: null });
  },
);

test("what is more than 256 kB is dropped and counted, and said once there is room", () => {
  room = 0;
  const output = openLogOutput(write);
  const line = `${"x".repeat(1_023)}\n`;
  for (let n = 0; n < 1_500; n += 1) output.write(line);
  vi.advanceTimersByTime(500);
  expect(output.lost()).toEqual({ lines: 1244, failing: "ENOSPC" });
  room = Number.POSITIVE_INFINITY;
  vi.advanceTimersByTime(500);
  output.write("after\n");
  output.end();
  expect(written).toContain('"lines":1244,"msg":"log lines were dropped');
  expect(written.endsWith("after\n")).toBe(true);
  expect(output.lost()).toEqual({ lines: 1244, failing: null });
});

test("an end while nothing can be written does not wait for it", () => {
  room = 0;
  const output = openLogOutput(write);
  output.write("lost\n");
  output.end();
  expect(output.lost().failing).toBe("ENOSPC");
});
