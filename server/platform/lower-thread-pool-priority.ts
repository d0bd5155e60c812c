import { readdir, readFile } from "node:fs/promises";
import { setPriority } from "node:os";

/** Below what the system gives by default, by half of what there is. */
const behind = 10;

/**
 * Lets the threads on which Node hashes passwords, draws pictures and reads files wait for the one that answers pages,
 * where they want the same processor. Linux knows a priority for each thread; elsewhere nothing is done.
 */
export async function lowerThreadPoolPriority(): Promise<void> {
  if (process.platform !== "linux") return;
  const threads = "/proc/self/task";
  // Reading the folder starts those threads, all at once, if nothing has before.
  for (const id of await readdir(threads)) {
    const name = await readFile(`${threads}/${id}/comm`, "utf8").catch(() => "");
    if (name.trim() === "libuv-worker") setPriority(Number(id), behind);
  }
}
