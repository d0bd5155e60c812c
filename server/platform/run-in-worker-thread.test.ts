import { expect, test } from "vitest";
import { runInWorkerThread } from "./run-in-worker-thread.ts";

const ask = (program: string, timeoutMs = 60_000) =>
  runInWorkerThread<unknown>(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
    of: [2, 3],
    timeoutMs,
    memory: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 },
  });
const parent = 'import { parentPort, workerData } from "node:worker_threads";';

test("a thread answers with what it was given, and knows nothing of the environment", async () => {
  const said = "parentPort.postMessage([workerData[0] * workerData[1], Object.keys(process.env)]);";
  expect(await ask(parent + said)).toEqual([6, []]);
});

test.each([
  ["never answers", "for (;;);", 300],
  ["throws", "throw new Error();", undefined],
  ["ends without a word", "process.exit();", undefined],
  [
    "takes more memory than it may",
    "const all = []; for (;;) all.push(new Array(1e5).fill({}));",
    undefined,
  ],
])("a thread that %s is ended, and that alone", async (_, program, timeoutMs) => {
  expect(await ask(parent + program, timeoutMs)).toBeNull();
});
