import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import path from "node:path";

// Vite reloads pages by itself; a change under server/, core/ or database/ starts the server again.
const root = path.resolve(import.meta.dirname, "..");
const server = path.join(root, "scripts", "development-server.ts");
let child = start();
let pending: NodeJS.Timeout | undefined;
let stopping = false;

for (const folder of ["server", "core", "database"]) {
  watch(path.join(root, folder), { recursive: true }, (_event, file) => {
    if (!file || /\.test\.tsx?$/.test(file) || !/\.(ts|sql)$/.test(file)) return;
    clearTimeout(pending);
    pending = setTimeout(() => void restart(`${folder}/${file}`), 150);
  });
}
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, async () => {
    if (stopping) return;
    stopping = true;
    clearTimeout(pending);
    process.exit(await end(child, signal));
  });
}

function start(): ChildProcess {
  return spawn(process.execPath, ["--conditions=development", server], {
    stdio: "inherit",
    // A group of its own: Ctrl-C reaches it through us, once.
    detached: true,
    env: { ...process.env, NODE_ENV: "development" },
  });
}

async function restart(file: string): Promise<void> {
  if (stopping) return;
  console.log(`${file} changed: starting again.`);
  await end(child, "SIGTERM");
  if (!stopping) child = start();
}

async function end(running: ChildProcess, signal: NodeJS.Signals): Promise<number> {
  if (running.exitCode === null && running.signalCode === null) {
    running.kill(signal);
    await once(running, "exit");
  }
  return running.exitCode ?? 1;
}
