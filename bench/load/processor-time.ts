import { readFileSync } from "node:fs";

/**
 * Seconds of processor that a process and all that it started have used. Says more than a clock where others use the
 * machine. Linux alone.
 *
 * @throws where there is no such process
 */
export function processorTime(pid: number): number {
  const running = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  // They come first: one that ends meanwhile stands in the line below, if not in both.
  const ofChildren = running === "" ? [] : running.split(" ").map((child) => timeOf(Number(child)));
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1) ?? "";
  // Its own time, and that of its children that have ended: proc_pid_stat(5). A name may have spaces in it.
  const ticks = stat.split(" ").slice(11, 15).map(Number);
  return [...ofChildren, ...ticks.map((each) => each / 100)].reduce((sum, each) => sum + each, 0);
}

function timeOf(child: number): number {
  try {
    return processorTime(child);
  } catch {
    return 0;
  }
}
