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

/** Runs all checks side by side. What one has to say appears only when it fails; its error is null where it holds. */
export function runChecks(): Promise<{ name: string; error: string | null }[]> {
  return Promise.all(
    checks.map(async (each) => ({ name: each.name, error: await runCheck(each) })),
  );
}

async function runCheck({ name, commands }: Check): Promise<string | null> {
  for (const [command, ...args] of commands) {
    const started = performance.now();
    const { code, output } = await run(`node_modules/.bin/${command}`, args);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (code !== 0) {
      console.log(output);
      return `${command} found something, which stands above`;
    }
    console.log(`✓ ${name}: ${command} (${seconds} s)`);
  }
  return null;
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
