import { parentPort, workerData } from "node:worker_threads";
import { parseFeed } from "./parse-feed.ts";

/** The thread of `parseFeedText`: one feed, one answer. */
parentPort?.postMessage(parseFeed(workerData as Parameters<typeof parseFeed>[0]));
