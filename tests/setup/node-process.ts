import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { patienceMs } from "./slowness.ts";

/** Ends a node, unless it has ended, and waits for that. */
export async function endNode(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await ended;
}

/**
 * Waits until a node that was just started answers.
 *
 * @throws when it ends, or says nothing for a minute.
 */
export async function untilAnswers(
  child: ChildProcess,
  ask: () => Promise<unknown>,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended: ${child.exitCode}`);
    if (await ask().catch(() => null)) return;
    await wait(20);
  }
  throw new Error(`${child.spawnfile} did not answer in a minute`);
}
