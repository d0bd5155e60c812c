import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

const [name, ...args] = process.argv.slice(2);
const folder = path.resolve(import.meta.dirname, "../bench");
const file = path.join(folder, `${name}.ts`);

if (!name || !existsSync(file)) {
  const names = readdirSync(folder).filter((each) => each.endsWith(".ts"));
  console.error(
    `Say which: npm run bench -- ${names.map((each) => each.slice(0, -3)).join(" | ")}`,
  );
  process.exit(1);
}
process.exit(spawnSync(process.execPath, [file, ...args], { stdio: "inherit" }).status ?? 1);
