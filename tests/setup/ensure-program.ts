import { spawnSync } from "node:child_process";

/** A program that the tests run and a bare Debian lacks: installed by its package where that can be done, an error where not. */
export function ensureProgram(
  name: string,
  { asks, comesWith }: { asks: string; comesWith: string },
) {
  const isThere = () => spawnSync(name, [asks], { stdio: "ignore" }).status === 0;
  if (isThere()) return;
  console.log(`Getting ${name} for the tests.`);
  for (const args of [
    ["update", "-qq"],
    ["install", "-y", "-qq", "--no-install-recommends", comesWith],
  ]) {
    spawnSync("apt-get", args, { stdio: "ignore", timeout: 300_000 });
  }
  if (!isThere()) throw new Error(`No ${name}: install it, then run the tests again.`);
}
