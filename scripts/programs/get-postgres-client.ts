import { spawnSync } from "node:child_process";
import process from "node:process";
import { type DebianPrograms, unpackDebianPrograms } from "./debian-programs.ts";

/** The newest major that a database may have: its client reads and writes those before it, too. */
const major = 18;

const client: DebianPrograms = {
  name: `assay-postgresql-client-${major}`,
  packages: {
    sid: [`postgresql-client-${major}`, "libpq5"],
    trixie: [
      ...["libc6", "libgcc-s1", "libssl3t64", "liblz4-1", "libzstd1", "zlib1g", "libreadline8t64"],
      ...["libtinfo6", "libldap2", "libsasl2-2", "libgssapi-krb5-2", "libkrb5-3", "libk5crypto3"],
      ...["libcom-err2", "libkrb5support0", "libkeyutils1"],
    ],
  },
  programs: Object.fromEntries(
    ["psql", "pg_dump", "pg_restore"].map((name) => [
      name,
      `usr/lib/postgresql/${major}/bin/${name}`,
    ]),
  ),
  otherwise: `No PostgreSQL client: put psql, pg_dump and pg_restore of PostgreSQL ${major} on PATH.`,
};

/** Undefined until it was looked for. */
let found: string | null | undefined;

/**
 * psql, pg_dump and pg_restore for tests: those on PATH where they are new enough, else Debian's packages.
 *
 * @returns the folder to put in front of PATH; null: PATH has them
 */
export function ensurePostgresClient(): string | null {
  if (found === undefined) found = find();
  return found;
}

function find(): string | null {
  const { stdout } = spawnSync("pg_dump", ["--version"], { encoding: "utf8", env: process.env });
  const installed = Number(/(\d+)/.exec(stdout ?? "")?.[1] ?? 0);
  return installed >= major ? null : unpackDebianPrograms(client);
}

if (import.meta.main) console.log(ensurePostgresClient() ?? "on PATH");
