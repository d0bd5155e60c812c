import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { expect, test } from "vitest";
import { lowerThreadPoolPriority } from "./lower-thread-pool-priority.ts";

test.runIf(process.platform === "linux")(
  "the threads that hash stand behind the one that answers, and no other does",
  async () => {
    await lowerThreadPoolPriority();
    const threads = readdirSync("/proc/self/task").map((id) => ({
      name: readFileSync(`/proc/self/task/${id}/comm`, "utf8").trim(),
      priority: getPriority(Number(id)),
    }));
    const behind = threads.filter(({ priority }) => priority === 10).map(({ name }) => name);
    expect(behind).toContain("libuv-worker");
    // A thread that draws pictures is begun by one that hashes, and stands where that one stands.
    expect(behind.filter((name) => !/^(libuv-worker|libvips worker)$/.test(name))).toEqual([]);
    expect(getPriority()).toBe(0);
  },
);
