import { spawnSync } from "node:child_process";

interface Check {
  name: string;
  commands: string[][];
}

/** What a machine can say about the code without running it. */
export const checks: Check[] = [
  { name: "format and lint", commands: [["biome", "ci", "--error-on-warnings", "."]] },
  { name: "types", commands: [["react-router", "typegen"], ["tsc"]] },
  {
    name: "dependency rules",
    commands: [["depcruise", "--config", ".dependency-cruiser.mjs", "app", "server", "core"]],
  },
  { name: "nothing unused", commands: [["knip"]] },
];

/** Runs one check; what it has to say appears only when it fails. */
export function runCheck({ name, commands }: Check): boolean {
  for (const [command, ...args] of commands) {
    const started = performance.now();
    const result = spawnSync(`node_modules/.bin/${command}`, args, { encoding: "utf8" });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (result.status !== 0) {
      console.log(result.stdout, result.stderr);
      console.log(`✗ ${name}: ${command} found something (${seconds} s)`);
      return false;
    }
    console.log(`✓ ${name}: ${command} (${seconds} s)`);
  }
  return true;
}
