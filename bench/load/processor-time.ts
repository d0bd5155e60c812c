import { readFileSync } from "node:fs";

/**
 * Seconds of processor that a process and all that it started have used. Says more than a clock where others use the
 * machine. Linux alone.
 */
export function processorTime(pid: number): number {
  let stat: string;
  let children: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  } catch {
    // It ended a moment ago, and stands in the line of the process that started it.
    return 0;
  }
  // Its own time, and that of its children that have ended: proc_pid_stat(5). A name may have spaces in it.
  const ticks = (stat.split(") ").at(-1) ?? "").split(" ").slice(11, 15).map(Number);
  const running = children.trim() === "" ? [] : children.trim().split(" ").map(Number);
  const own = ticks.reduce((sum, each) => sum + each, 0) / 100;
  return running.reduce((sum, child) => sum + processorTime(child), own);
}
