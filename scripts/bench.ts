import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Line, printTable } from "../bench/load/table.ts";

const [name, ...args] = process.argv.slice(2);
const folder = path.resolve(import.meta.dirname, "../bench");
const names = readdirSync(folder)
  .filter((each) => each.endsWith(".ts"))
  .map((each) => each.slice(0, -3));

if (!name) process.exit(runAll());
if (!names.includes(name)) {
  console.error(`Say which, or none for all: npm run bench -- ${names.join(" | ")}`);
  process.exit(1);
}
process.exit(run(name, process.env));

function run(bench: string, env: NodeJS.ProcessEnv): number {
  const file = path.join(folder, `${bench}.ts`);
  return spawnSync(process.execPath, [file, ...args], { stdio: "inherit", env }).status ?? 1;
}

/** One after the other, and then their figures in one table. */
function runAll(): number {
  const place = mkdtempSync(path.join(tmpdir(), "assay-bench-"));
  const lines = names.flatMap((bench): Line[] => {
    console.log(`\n== ${bench}\n`);
    const file = path.join(place, bench);
    const code = run(bench, { ...process.env, BENCH_TABLE: file });
    const found = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    const own = found.map((line): Line => JSON.parse(line));
    const isWhole = code === 0 || own.some(({ met }) => met === "MISSED");
    if (isWhole && own.length > 0) return own;
    const fault = { beside: `it ended with code ${code}`, figure: "", bar: "" };
    return [...own, { ...fault, work: bench, met: "MISSED" }];
  });
  rmSync(place, { recursive: true });
  console.log();
  printTable(
    ["work", "beside", "figure", "bar", ""],
    lines.map(({ work, beside, figure, bar, met }) => [work, beside, figure, bar, met]),
    2,
  );
  const missed = lines.filter(({ met }) => met === "MISSED").length;
  console.log(missed === 0 ? "\nEvery bar is met." : `\n${missed} of ${lines.length} missed.`);
  return missed === 0 ? 0 : 1;
}
