import process from "node:process";

/** How many times longer than usual this machine takes, as `npm test` measured when it began: at least 1. */
const slowness = Number(process.env["TEST_SLOWNESS"] ?? 1);

/** A delay that the specification names, as long as this machine may take for it. */
export const within = (ms: number): number => ms * slowness;

/** Milliseconds to wait for a fact. What comes at all comes far sooner: only what hangs takes so long. */
export const patienceMs = 60_000 * slowness;

/** Milliseconds that a test may take. */
export const testTimeoutMs = 5 * patienceMs;

/** Whether the run is a long one, before a release: `npm test -- --long`. */
export const isLong = process.env["TEST_LONG"] === "1";
