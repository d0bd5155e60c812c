import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

export interface DebianPrograms {
  /** Folder in the user's cache. */
  name: string;
  /** Package names by Debian suite. */
  packages: Record<string, string[]>;
  /** Name of each program, and its place below the root of the unpacked packages. */
  programs: Record<string, string>;
  /** What to do instead, where Debian's packages cannot be had. */
  otherwise: string;
}

/**
 * Programs for tests from newer Debian releases than the machine's, unpacked once into the user's cache without touching
 * the system and started through their own loader.
 *
 * @returns the folder that holds them
 */
export function unpackDebianPrograms(wanted: DebianPrograms): string {
  const cached = path.join(
    process.env["XDG_CACHE_HOME"] || path.join(homedir(), ".cache"),
    wanted.name,
  );
  if (!existsSync(cached)) unpack(wanted, cached);
  return cached;
}

/** Unpacked aside and then given its name: a run that dies meanwhile leaves no half of it, and of two at once one wins. */
function unpack({ packages, programs, otherwise }: DebianPrograms, cached: string): void {
  const run = runOr(otherwise);
  const work = mkdtempSync(path.join(tmpdir(), "assay-debian-"));
  mkdirSync(path.dirname(cached), { recursive: true });
  const aside = mkdtempSync(`${cached}-`);
  try {
    for (const [suite, names] of Object.entries(packages)) download(run, work, suite, names);
    const archives = readdirSync(work).filter((name) => name.endsWith(".deb"));
    for (const name of archives)
      run("dpkg", ["-x", path.join(work, name), path.join(aside, "root")]);
    for (const [name, place] of Object.entries(programs))
      writeFileSync(path.join(aside, name), starter(path.join(cached, "root"), place), {
        mode: 0o755,
      });
    try {
      renameSync(aside, cached);
    } catch (error) {
      if (!existsSync(cached)) throw error;
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
    rmSync(aside, { recursive: true, force: true });
  }
}

type Run = (command: string, args: string[], cwd?: string) => string;

/** From the mirror that this machine's own packages come from, without a change to its lists. */
function download(run: Run, work: string, suite: string, names: string[]): void {
  const lists = path.join(work, suite);
  mkdirSync(path.join(lists, "lists", "partial"), { recursive: true });
  mkdirSync(path.join(lists, "cache", "archives", "partial"), { recursive: true });
  const keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
  const source = path.join(lists, "sources.list");
  writeFileSync(source, `deb [signed-by=${keys}] ${mirror(run)} ${suite} main\n`);
  const options = [
    "-qq",
    ...["-o", `Dir::Etc::sourcelist=${source}`, "-o", "Dir::Etc::sourceparts=-"],
    ...["-o", `Dir::State::lists=${lists}/lists`, "-o", `Dir::Cache=${lists}/cache`],
    ...["-o", "APT::Sandbox::User=root"],
  ];
  run("apt-get", [...options, "update"]);
  run("apt-get", [...options, "download", ...names], work);
}

function mirror(run: Run): string {
  const listed = run("apt-get", ["indextargets", "--format", "$(REPO_URI)"]);
  const found = listed.split("\n").find((line) => /\/debian\/?$/.test(line));
  if (!found) throw new Error("No Debian mirror is known here.");
  return found;
}

function starter(root: string, place: string): string {
  const [triplet, loader] =
    process.arch === "arm64"
      ? ["aarch64-linux-gnu", "usr/lib/ld-linux-aarch64.so.1"]
      : ["x86_64-linux-gnu", "usr/lib64/ld-linux-x86-64.so.2"];
  const libraries = `${root}/usr/lib/${triplet}`;
  return `#!/bin/sh\nexec "${root}/${loader}" --library-path "${libraries}" "${root}/${place}" "$@"\n`;
}

function runOr(otherwise: string): Run {
  return (command, args, cwd) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
    if (status === 0) return stdout;
    throw new Error(`${otherwise} (${command}: ${stderr?.trim().slice(-300) ?? "not installed"})`);
  };
}
