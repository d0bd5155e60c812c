import cluster from "node:cluster";
import { availableParallelism } from "node:os";

/** Processes that answer HTTP beside each other share the machine's: server/web-processes.ts tells each how many they are. */
const sharers = cluster.isWorker ? Number(process.env["WEB_CONCURRENCY"]) : 1;

/** How many processors this process may keep busy at a time; at least 1. */
export const ownProcessors = Math.max(1, Math.floor(availableParallelism() / sharers));
