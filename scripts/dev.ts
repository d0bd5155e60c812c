import { spawn } from "node:child_process";
import path from "node:path";

// Vite reloads pages by itself; a change under server/ or core/ starts the server again.
const server = path.join(import.meta.dirname, "development-server.ts");
const child = spawn(process.execPath, ["--watch", "--watch-preserve-output", server], {
  stdio: "inherit",
  env: { ...process.env, NODE_ENV: "development" },
});
process.on("SIGTERM", () => child.kill("SIGTERM"));
process.on("SIGINT", () => child.kill("SIGINT"));
child.on("exit", (code) => process.exit(code ?? 0));
