import { execFile, execFileSync, spawnSync } from "node:child_process";
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import pg from "pg";
import { databaseUrl, startTestServer } from "../tests/setup/postgres.ts";
import { buildWhenNeeded } from "./build-pages.ts";
import { quickFolder } from "./quick-folder.ts";

/**
 * `npm run mutate -- --number=20 --seed=7 ledger core`: puts small faults, one at a time, into a copy of what is committed, and
 * tells which of them no test of the fault's own room notices. `--also=PATH` names further tests for those that survive;
 * `--only=FILE:LINE` tries every fault of one line.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    number: { type: "string", default: "20" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string" },
    also: { type: "string", multiple: true, default: [] },
  },
});
const money = ["ledger", "mining", "contracts", "deposits", "withdrawals", "payouts"];
const rooms =
  positionals.length > 0 ? positionals : ["core", ...money, "adjustments", "reconciliation"];

interface Fault {
  file: string;
  at: number;
  length: number;
  by: string;
}

/** What is replaced by what, wherever it is code. */
const everywhere: [RegExp, string][] = [
  [/ <= /g, " < "],
  [/ >= /g, " > "],
  [/ < /g, " <= "],
  [/ > /g, " >= "],
  [/ \+ /g, " - "],
  [/ - /g, " + "],
  [/ \* /g, " / "],
];
const ofTypeScript: [RegExp, string][] = [
  [/ === /g, " !== "],
  [/ !== /g, " === "],
  [/ && /g, " || "],
  [/ \|\| /g, " && "],
  [/(?<=[( ])!(?=[\w(])/g, ""],
  [/\btrue\b/g, "false"],
  [/\bfalse\b/g, "true"],
  [/\.every\(/g, ".some("],
  [/\.some\(/g, ".every("],
  [/Math\.min\(/g, "Math.max("],
  // A guard is removed, or an act: the whole line.
  [/(?<=\n) *if \(.*\) (return|throw|continue)\b.*;(?=\n)/g, ""],
  [/(?<=\n) *await .*;(?=\n)/g, ""],
];
const ofSql: [RegExp, string][] = [
  [/ = /g, " <> "],
  [/ <> /g, " = "],
  [/ is distinct from /g, " is not distinct from "],
  [/ and (?=[\w(])/g, " or "],
  [/ or (?=[\w(])/g, " and "],
  [/ is not null/g, " is null"],
  [/ is null/g, " is not null"],
  [/\bnot exists/g, "exists"],
  [/ for (update|share)\b( of \w+)?/g, ""],
  [/(?<=\n) *perform .*;(?=\n)/g, "  null;"],
  [/\bgreatest\(/g, "least("],
];

buildWhenNeeded();
const folder = quickFolder();
process.env["TMPDIR"] = folder;
const copy = path.join(folder, "copy");
execFileSync("git", ["worktree", "add", "--detach", copy, "HEAD"], { stdio: "ignore" });
process.on("exit", () => {
  spawnSync("git", ["worktree", "remove", "--force", copy]);
});
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => process.exit(1));
symlinkSync(path.resolve("node_modules"), path.join(copy, "node_modules"));
cpSync("build", path.join(copy, "build"), { recursive: true, dereference: true });
const { sourcesOfPages } = await import(path.join(copy, "scripts", "build-pages.ts"));
// A loop that a fault made endless ends, and that is noticed.
const server = await startTestServer(["-c", "statement_timeout=40s"]);
process.on("exit", () => process.kill(server.pid, "SIGINT"));

console.log(`seed ${values.seed}`);
const total = { caught: 0, survived: 0, unclear: 0 };
for (const fault of await pick()) {
  const place = path.join(copy, fault.file);
  const text = readFileSync(place, "utf8");
  const lines = (until: number) => text.slice(0, until).split("\n");
  const started = performance.now();
  writeFileSync(place, broken(text, fault));
  // The pages import what is broken: building them again would change nothing.
  writeFileSync(path.join(copy, "build", ".sources"), sourcesOfPages());
  const { how, by } = await tryTests(fault.file);
  writeFileSync(place, text);
  total[how] += 1;
  const line = text.split("\n")[lines(fault.at).length - 1]?.trim().slice(0, 110);
  const before = text
    .slice(fault.at, fault.at + fault.length)
    .trim()
    .slice(0, 60);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `${how} ${fault.file}:${lines(fault.at).length}: ${before} → ${fault.by.trim() || "nothing"} in: ${line}`,
  );
  console.log(`  ${by} (${seconds} s)`);
}
console.log(
  `${total.caught} caught, ${total.survived} survived, ${total.unclear} ended in another way`,
);
process.exit(total.survived === 0 ? 0 : 1);

/** First the tests that name the file, which are the likeliest to notice; then all of its room. */
async function tryTests(file: string) {
  const [top = "", room] = file.split("/");
  const folder = top === "core" ? "core/" : `server/${room}/`;
  const name = path.basename(file);
  const near = globSync(`${folder}**/*.test.ts`, { cwd: copy }).filter((test) =>
    readFileSync(path.join(copy, test), "utf8").includes(`/${name}"`),
  );
  const stages = [near, [folder], values.also].filter((stage) => stage.length > 0);
  for (const stage of stages) {
    const result = await runTests(stage);
    if (result.how !== "survived") return result;
  }
  return { how: "survived", by: "by no test" } as const;
}

async function runTests(filters: string[]) {
  const args = ["node_modules/vitest/vitest.mjs", "run", "--bail=1", "--maxWorkers=2", ...filters];
  const env = { ...process.env, TEST_SERVER: JSON.stringify(server), NO_COLOR: "1" };
  const options = { cwd: copy, env, timeout: 10 * 60_000, maxBuffer: 1e9 };
  try {
    await promisify(execFile)(process.execPath, args, options);
    return { how: "survived", by: "" } as const;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    const [, test] = /^ *FAIL +(.*)$/m.exec(stdout + stderr) ?? [];
    // A machine that is too busy notices nothing, and that is no merit of the tests.
    if (test === undefined) return { how: "unclear", by: stderr.trim().slice(-200) } as const;
    return { how: "caught", by: test } as const;
  }
}

async function pick(): Promise<Fault[]> {
  const patterns = rooms.map((room) =>
    room === "core" ? "core/**/*.ts" : `{server/${room}/**/*.ts,database/${room}/*.sql}`,
  );
  const files = globSync(patterns, { cwd: copy }).filter(
    (file) => !/\.test\.ts|tables\.sql|schema\.ts|core\/legal|README/.test(file),
  );
  const all = files.sort().flatMap(faultsOf);
  if (values.only) {
    const [name, line] = values.only.split(":");
    return all.filter(
      ({ file, at }) =>
        file === name &&
        readFileSync(path.join(copy, file), "utf8").slice(0, at).split("\n").length ===
          Number(line),
    );
  }
  const random = randomFrom(Number(values.seed));
  const picked: Fault[] = [];
  while (picked.length < Number(values.number) && all.length > 0) {
    const [fault] = all.splice(Math.floor(random() * all.length), 1);
    if (fault && (await isValid(fault))) picked.push(fault);
  }
  return picked;
}

function faultsOf(file: string): Fault[] {
  const text = readFileSync(path.join(copy, file), "utf8");
  const isSql = file.endsWith(".sql");
  const code = text.replace(
    isSql
      ? /--.*|'[^'\n]*'/g
      : /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|^(import|export \*|(export )?type) [^;]*;/gm,
    (found) => found.replace(/[^\n]/g, "_"),
  );
  const numbers = [...code.matchAll(/(?<![\w.$])\d[\d_]*(?=n?\b)(?![.\w]*[.:])/g)].map((each) => ({
    file,
    at: each.index,
    length: each[0].length,
    by: String(BigInt(each[0].replaceAll("_", "")) + 1n),
  }));
  const kinds = [...everywhere, ...(isSql ? ofSql : ofTypeScript)];
  return kinds
    .flatMap(([pattern, by]) =>
      [...code.matchAll(pattern)].map((each) => ({
        file,
        at: each.index,
        length: each[0].length,
        by,
      })),
    )
    .concat(numbers);
}

function broken(text: string, { at, length, by }: Fault): string {
  return text.slice(0, at) + by + text.slice(at + length);
}

/** Whether it is a fault and no slip of the pen, which anything would notice. */
async function isValid(fault: Fault): Promise<boolean> {
  const text = broken(readFileSync(path.join(copy, fault.file), "utf8"), fault);
  if (!fault.file.endsWith(".sql")) {
    try {
      stripTypeScriptTypes(text);
      return true;
    } catch {
      return false;
    }
  }
  const client = new pg.Client(databaseUrl(server.ownerUrl, "assay_template"));
  await client.connect();
  try {
    await client.query(`begin; ${text}; rollback`);
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
