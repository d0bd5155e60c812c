import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { promisify } from "node:util";

export interface Pgbench {
  path: string;
  version: string;
}

/** Large enough that TPC-B's own hot rows, one per branch, do not decide. */
const scale = 16;

/** PostgreSQL's own bench, where a package of the machine has put it. */
export function findPgbench(): Pgbench | null {
  const packages = "/usr/lib/postgresql";
  const versions = existsSync(packages) ? readdirSync(packages) : [];
  const candidates = [
    "pgbench",
    ...versions.map((version) => `${packages}/${version}/bin/pgbench`),
  ];
  for (const path of candidates) {
    try {
      const version = execFileSync(path, ["--version"], { encoding: "utf8" }).trim();
      return { path, version };
    } catch {
      // Not there: the next place.
    }
  }
  return null;
}

export function initialiseTpcB(pgbench: Pgbench, url: string): void {
  execFileSync(pgbench.path, ["-i", "-q", "-s", String(scale), url], { stdio: "ignore" });
}

/** Transactions per second of the TPC-B-like script, or of another. */
export async function runPgbench(
  pgbench: Pgbench,
  url: string,
  load: {
    clients: number;
    seconds: number;
    protocol: "simple" | "prepared";
    script?: string;
    /** What the script's variables are at first, in each client. */
    variables?: Record<string, number>;
  },
): Promise<number> {
  const { stdout } = await promisify(execFile)(pgbench.path, [
    ...["-n", "-M", load.protocol, "-T", String(load.seconds)],
    ...["-c", String(load.clients), "-j", String(Math.min(2, load.clients))],
    ...(load.script ? ["-f", load.script] : []),
    ...Object.entries(load.variables ?? {}).flatMap(([name, value]) => ["-D", `${name}=${value}`]),
    url,
  ]);
  const [, rate] = /tps = ([\d.]+)/.exec(stdout) ?? [];
  if (!rate) throw new Error(`pgbench said nothing of its rate: ${stdout}`);
  return Number(rate);
}
