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

/** Bitcoin Knots, of Bitcoin Core's code base, and what it links to. Debian 12 has neither it nor libraries as new. */
const packages = {
  sid: ["bitcoin-knots"],
  trixie: [
    ...["libc6", "libgcc-s1", "libstdc++6", "libevent-core-2.1-7t64", "libevent-extra-2.1-7t64"],
    ...["libevent-pthreads-2.1-7t64", "libsqlite3-0", "libzmq5", "libsodium23", "libnorm1t64"],
    ...["libpgm-5.3-0t64", "libbsd0", "libmd0", "libgssapi-krb5-2", "libkrb5-3", "libk5crypto3"],
    ...["libcom-err2", "libkrb5support0", "libkeyutils1"],
  ],
};
const cached = path.join(
  process.env["XDG_CACHE_HOME"] || path.join(homedir(), ".cache"),
  "assay-bitcoind",
);

/**
 * A bitcoind for tests: the one that BITCOIND names, else one on PATH, else Debian's packages, unpacked once into the
 * user's cache without touching the system and started through their own loader.
 */
export function ensureBitcoind(): string {
  const given = process.env["BITCOIND"];
  if (given) return given;
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  const installed = folders.map((folder) => path.join(folder, "bitcoind")).find(existsSync);
  if (installed) return installed;
  const unpacked = path.join(cached, "bitcoind");
  if (!existsSync(unpacked)) unpack();
  return unpacked;
}

/** Unpacked aside and then given its name: whoever dies meanwhile leaves no half of it, and of two at once one wins. */
function unpack(): void {
  console.log("Getting a Bitcoin node for the tests.");
  const work = mkdtempSync(path.join(tmpdir(), "assay-bitcoind-"));
  mkdirSync(path.dirname(cached), { recursive: true });
  const aside = mkdtempSync(`${cached}-`);
  try {
    for (const [suite, names] of Object.entries(packages)) download(work, suite, names);
    const archives = readdirSync(work).filter((name) => name.endsWith(".deb"));
    for (const name of archives)
      run("dpkg", ["-x", path.join(work, name), path.join(aside, "root")]);
    writeFileSync(path.join(aside, "bitcoind"), starter(), { mode: 0o755 });
    try {
      renameSync(aside, cached);
    } catch (error) {
      if (!existsSync(path.join(cached, "bitcoind"))) throw error;
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
    rmSync(aside, { recursive: true, force: true });
  }
}

/** From the mirror that this machine's own packages come from, without a change to its lists. */
function download(work: string, suite: string, names: string[]): void {
  const lists = path.join(work, suite);
  mkdirSync(path.join(lists, "lists", "partial"), { recursive: true });
  mkdirSync(path.join(lists, "cache", "archives", "partial"), { recursive: true });
  const keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
  const source = path.join(lists, "sources.list");
  writeFileSync(source, `deb [signed-by=${keys}] ${mirror()} ${suite} main\n`);
  const options = [
    "-qq",
    ...["-o", `Dir::Etc::sourcelist=${source}`, "-o", "Dir::Etc::sourceparts=-"],
    ...["-o", `Dir::State::lists=${lists}/lists`, "-o", `Dir::Cache=${lists}/cache`],
    ...["-o", "APT::Sandbox::User=root"],
  ];
  run("apt-get", [...options, "update"]);
  run("apt-get", [...options, "download", ...names], work);
}

function mirror(): string {
  const told = run("apt-get", ["indextargets", "--format", "$(REPO_URI)"]);
  const found = told.split("\n").find((line) => /\/debian\/?$/.test(line));
  if (!found) throw new Error("No Debian mirror is known here.");
  return found;
}

function starter(): string {
  const [triplet, loader] =
    process.arch === "arm64"
      ? ["aarch64-linux-gnu", "usr/lib/ld-linux-aarch64.so.1"]
      : ["x86_64-linux-gnu", "usr/lib64/ld-linux-x86-64.so.2"];
  const root = path.join(cached, "root");
  const libraries = `${root}/usr/lib/${triplet}`;
  return `#!/bin/sh\nexec "${root}/${loader}" --library-path "${libraries}" "${root}/usr/bin/bitcoind" "$@"\n`;
}

function run(command: string, args: string[], cwd?: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status === 0) return stdout;
  throw new Error(
    `No Bitcoin node: put bitcoind on PATH, or its place into BITCOIND. (${command}: ${stderr?.trim().slice(-300) ?? "not there"})`,
  );
}

if (import.meta.main) console.log(ensureBitcoind());
