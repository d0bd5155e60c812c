import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";

const root = path.resolve(import.meta.dirname, "..");
/** `build` is a link to the newest one: whoever serves from it has all of one build or all of the next. */
const stampFile = path.join(root, "build", ".sources");
/** What a build made itself, beside what it took over from the one before. */
const ownFile = ".assets.json";
const inputs = [
  "app",
  "core",
  "public",
  "scripts/vite",
  "package-lock.json",
  "vite.config.ts",
  "react-router.config.ts",
];

/** What pages are made of: the content decides, not the clock. */
export function sourcesOfPages(): string {
  return hashOf(inputs);
}

/**
 * Builds the pages when a source is newer than the last build. The assets of the build before stay beside the new ones: pages that it
 * wrote are still open somewhere.
 */
export function buildWhenNeeded(): void {
  const sources = sourcesOfPages();
  const isDone = () => existsSync(stampFile) && readFileSync(stampFile, "utf8") === sources;
  if (isDone()) return;
  aloneIn(path.join(root, ".builds"), () => {
    if (!isDone()) build(sources);
  });
}

function build(sources: string): void {
  console.log("Building the pages.");
  const name = `${sources.slice(0, 12)}-${process.pid}`;
  const folder = path.join(root, ".builds", name);
  const cli = path.join(root, "node_modules", "@react-router", "dev", "bin.cjs");
  const result = spawnSync(process.execPath, [cli, "build"], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production", BUILD_FOLDER: path.relative(root, folder) },
  });
  if (result.status !== 0) {
    console.error(result.stdout, result.stderr);
    console.error("The build failed; its messages stand above.");
    rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  }
  compressFiles(path.join(folder, "client"));
  writeFileSync(path.join(folder, ".sources"), sources);
  publishBuild(root, name);
}

/** Makes a finished build in `.builds` the newest, with the assets of the one before beside its own, and forgets those that are older. */
export function publishBuild(root: string, name: string): void {
  const newest = path.join(root, "build");
  const folder = path.join(root, ".builds", name);
  const assets = path.join(folder, "client", "assets");
  writeFileSync(path.join(folder, ownFile), JSON.stringify(readdirSync(assets)));
  const before = existsSync(path.join(newest, ownFile)) ? realpathSync(newest) : null;
  if (before) takeOverAssets(before, assets);
  pointTo(newest, path.join(".builds", name));
  forgetOthers(path.dirname(folder), [name, before && path.basename(before)]);
}

/** Puts the assets of the build in another folder of the product beside those of this one's: pages that it wrote are still open. */
export function takeOverFrom(other: string): void {
  takeOverAssets(
    realpathSync(path.join(other, "build")),
    path.join(root, "build", "client", "assets"),
  );
}

function takeOverAssets(before: string, assets: string): void {
  for (const name of JSON.parse(readFileSync(path.join(before, ownFile), "utf8")) as string[]) {
    const from = path.join(before, "client", "assets", name);
    const to = path.join(assets, name);
    if (existsSync(from) && !existsSync(to)) copyFileSync(from, to);
  }
}

/** Of two that start at once one builds, and the other finds it done. */
export function aloneIn(folder: string, work: () => void): void {
  mkdirSync(folder, { recursive: true });
  const lock = path.join(folder, "lock");
  for (let waits = 0; !take(lock); waits += 1) {
    if (waits === 0) console.log("Another process builds the pages: waiting for it.");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  const free = () => rmSync(lock, { force: true });
  // A build that fails ends the process.
  process.once("exit", free);
  try {
    work();
  } finally {
    process.off("exit", free);
    free();
  }
}

/** A build takes a quarter of a minute. A number may be somebody else's by now: in a container, after a restart. */
const buildLastsMs = 300_000;

/** Whether the lock is ours now. One whose holder has ended, or that is too old to be held, is nobody's. */
function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  if (!isHeld(lock)) rmSync(lock, { force: true });
  return false;
}

function isHeld(lock: string): boolean {
  try {
    const isOld = Date.now() - statSync(lock).mtimeMs > buildLastsMs;
    const holder = Number(readFileSync(lock, "utf8"));
    if (isOld || holder === process.pid) return false;
    // It is written in two steps: without a number it has just been made.
    if (holder > 0) process.kill(holder, 0);
    return true;
  } catch (error) {
    // Of another user: it lives.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** In one step, so that nobody finds nothing. */
function pointTo(newest: string, folder: string): void {
  const link = path.join(path.dirname(newest), ".builds", `link-${process.pid}`);
  rmSync(link, { force: true });
  symlinkSync(folder, link, "dir");
  // A folder of its own, as older versions left it.
  const isFolder = lstatSync(newest, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder) rmSync(newest, { recursive: true });
  renameSync(link, newest);
}

function forgetOthers(builds: string, kept: Array<string | null>): void {
  for (const name of readdirSync(builds)) {
    const folder = path.join(builds, name);
    if (!lstatSync(folder).isDirectory()) continue;
    // One that is young may be under way in another process.
    const isYoung = Date.now() - statSync(folder).mtimeMs < 3_600_000;
    const isDone = existsSync(path.join(folder, ".sources"));
    if (!kept.includes(name) && (isDone || !isYoung))
      rmSync(folder, { recursive: true, force: true });
  }
}

function hashOf(names: string[]): string {
  const hash = createHash("sha256");
  const visit = (file: string) => {
    if (statSync(file).isDirectory()) {
      for (const name of readdirSync(file).sort()) visit(path.join(file, name));
    } else if (!file.includes(".test.")) {
      hash
        .update(`${path.relative(root, file)}\0`)
        .update(readFileSync(file))
        .update("\0");
    }
  };
  for (const name of names) visit(path.join(root, name));
  return hash.digest("hex");
}

/** Files are compressed once, as hard as it goes, instead of on every request; those that gain from it. */
function compressFiles(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/\.(js|css|svg|json|webmanifest|txt|xml|vtt|ico)$/.test(name)) continue;
    const file = path.join(folder, name);
    const bytes = readFileSync(file);
    const forms = {
      gz: gzipSync(bytes, { level: 9 }),
      br: brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } }),
    };
    for (const [ending, form] of Object.entries(forms)) {
      if (form.length < bytes.length * 0.9) writeFileSync(`${file}.${ending}`, form);
    }
  }
}
