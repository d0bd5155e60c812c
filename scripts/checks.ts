import { spawn } from "node:child_process";

interface Check {
  name: string;
  commands: string[][];
}

/** What a machine can say about the code without running it. */
const checks: Check[] = [
  { name: "format and lint", commands: [["biome", "ci", "--error-on-warnings", "."]] },
  {
    name: "types",
    commands: [
      ["react-router", "typegen"],
      ["tsc", "--checkers", "2"],
    ],
  },
  {
    name: "dependency rules",
    commands: [["depcruise", "--config", ".dependency-cruiser.mjs", "app", "server", "core"]],
  },
  { name: "nothing unused", commands: [["knip"]] },
];

/** Runs all checks side by side, and tells how many hold. What one has to say appears only when it fails. */
export async function runChecks(): Promise<{ passed: number; failed: number }> {
  const held = await Promise.all(checks.map(runCheck));
  const passed = held.filter(Boolean).length;
  return { passed, failed: checks.length - passed };
}

async function runCheck({ name, commands }: Check): Promise<boolean> {
  for (const [command, ...args] of commands) {
    const started = performance.now();
    const { code, output } = await run(`node_modules/.bin/${command}`, args);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (code !== 0) {
      console.log(output);
      console.log(`✗ ${name}: ${command} found something (${seconds} s)`);
      return false;
    }
    console.log(`✓ ${name}: ${command} (${seconds} s)`);
  }
  return true;
}

function run(command: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}
