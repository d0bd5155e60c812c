import { parseArgs } from "node:util";
import { hash } from "@node-rs/argon2";
import { passwordCost } from "#server/identity/passwords/password.ts";
import { lowerThreadPoolPriority } from "#server/platform/lower-thread-pool-priority.ts";

/**
 * A program of its own: hashes passwords, so many at a time, for some seconds, and prints how many a second. Its threads
 * have the priority that the product gives its own, so that whatever else the machine does holds up both alike.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    atATime: { type: "string", default: "20" },
  },
});
const seconds = Number(values.seconds);
await lowerThreadPoolPriority();
const started = performance.now();
let hashed = 0;
await Promise.all(Array.from({ length: Number(values.atATime) }, hashAgainAndAgain));
console.log(JSON.stringify({ perSecond: (hashed * 1000) / (performance.now() - started) }));

async function hashAgainAndAgain(): Promise<void> {
  while (performance.now() - started < seconds * 1000) {
    await hash("correct horse battery", passwordCost);
    hashed += 1;
  }
}
