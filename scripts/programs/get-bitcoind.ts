import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { type DebianPrograms, unpackDebianPrograms } from "./debian-programs.ts";

/** Bitcoin Knots, of Bitcoin Core's code base, and what it links to. Debian 12 has neither it nor libraries as new. */
const knots: DebianPrograms = {
  name: "assay-bitcoind",
  packages: {
    sid: ["bitcoin-knots"],
    trixie: [
      ...["libc6", "libgcc-s1", "libstdc++6", "libevent-core-2.1-7t64", "libevent-extra-2.1-7t64"],
      ...["libevent-pthreads-2.1-7t64", "libsqlite3-0", "libzmq5", "libsodium23", "libnorm1t64"],
      ...["libpgm-5.3-0t64", "libbsd0", "libmd0", "libgssapi-krb5-2", "libkrb5-3", "libk5crypto3"],
      ...["libcom-err2", "libkrb5support0", "libkeyutils1"],
    ],
  },
  programs: { bitcoind: "usr/bin/bitcoind" },
  otherwise: "No Bitcoin node: put bitcoind on PATH, or its path into BITCOIND.",
};

/** A bitcoind for tests: the one that BITCOIND names, else one on PATH, else Debian's packages. */
export function ensureBitcoind(): string {
  const given = process.env["BITCOIND"];
  if (given) return given;
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  const installed = folders.map((folder) => path.join(folder, "bitcoind")).find(existsSync);
  return installed ?? path.join(unpackDebianPrograms(knots), "bitcoind");
}

if (import.meta.main) console.log(ensureBitcoind());
