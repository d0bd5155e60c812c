import { type DebianPrograms, unpackDebianPrograms } from "./debian-programs.ts";

const proxies: DebianPrograms = {
  name: "assay-proxies-2",
  packages: {
    trixie: [
      ...["nginx", "haproxy", "caddy", "pgbouncer"],
      ...[
        "libc6",
        "libcrypt1",
        "libpcre2-8-0",
        "libpcre2-posix3",
        "libssl3t64",
        "zlib1g",
        "libzstd1",
      ],
      ...[
        "libcap2",
        "liblua5.4-0",
        "libsystemd0",
        "libgcc-s1",
        "libstdc++6",
        "libopentracing-c-wrapper0t64",
        "libopentracing1",
        "libjemalloc2",
        "libcares2",
        "libevent-2.1-7t64",
        "libpam0g",
        "libaudit1",
        "libcap-ng0",
      ],
    ],
  },
  programs: {
    nginx: "usr/sbin/nginx",
    haproxy: "usr/sbin/haproxy",
    caddy: "usr/bin/caddy",
    pgbouncer: "usr/sbin/pgbouncer",
  },
  otherwise: "No nginx, HAProxy, Caddy and PgBouncer from Debian's packages.",
};

/** What `deploy/` has files for. @returns the folder that holds nginx, haproxy, caddy and pgbouncer */
export function ensureProxies(): string {
  return unpackDebianPrograms(proxies);
}

if (import.meta.main) console.log(ensureProxies());
