import { parentPort, workerData } from "node:worker_threads";
import { takeApart } from "./take-apart.ts";

/** The thread of `parseFeedText`: one feed, one answer. */
parentPort?.postMessage(takeApart(workerData as Parameters<typeof takeApart>[0]));
