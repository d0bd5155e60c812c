import { scryptSync } from "node:crypto";
import { cpus } from "node:os";
import { ensureLibfaketime } from "../programs/get-libfaketime.ts";
import { fakeClock } from "../rehearsal/clock.ts";

/** Milliseconds that `work` takes on a quiet machine as small as continuous integration's. */
const usualMs = 250;

/**
 * How many times longer this machine takes now than a quiet one with two cores: at least 1. Whatever tests wait for ends by so much
 * later. The slowest of three goes: a busy machine does not hold up everything at every moment.
 */
export function measureSlowness(): number {
  const times = Array.from({ length: 3 }, () => {
    const startedAt = performance.now();
    scryptSync("password", "salt", 32, { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 });
    return performance.now() - startedAt;
  });
  return Math.min(10, Math.max(1, Math.max(...times) / usualMs));
}

/** Processor seconds of the whole machine since it began, in all but idleness. */
export function processorSeconds(): number {
  const ms = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys, 0);
  return ms / 1000;
}

/**
 * What a process and all that it starts get to live at another moment, from which time goes on as usual.
 *
 * @param at in milliseconds since 1970.
 */
export function clockAt(at: number): NodeJS.ProcessEnv {
  const seconds = Math.round((at - Date.now()) / 1000);
  return { ...fakeClock(ensureLibfaketime()), FAKETIME: `${seconds < 0 ? "" : "+"}${seconds}` };
}
