import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { type DebianPrograms, unpackDebianPrograms } from "./debian-programs.ts";

/** Tells a process another time than the machine's. Debian 12's runs wherever Node and the embedded PostgreSQL do. */
const libfaketime: DebianPrograms = {
  name: "assay-libfaketime",
  packages: { bookworm: ["libfaketime"] },
  programs: {},
  otherwise:
    "A rehearsal needs libfaketime, for Linux: install the package libfaketime, or put the path of libfaketimeMT.so.1 into LIBFAKETIME.",
};

/** The library: the one that LIBFAKETIME names, else the machine's, else Debian's package. */
export function ensureLibfaketime(): string {
  const given = process.env["LIBFAKETIME"];
  if (given) return given;
  const installed = findBelow("/");
  if (installed) return installed;
  const unpacked = findBelow(path.join(unpackDebianPrograms(libfaketime), "root"));
  if (!unpacked) throw new Error(libfaketime.otherwise);
  return unpacked;
}

function findBelow(root: string): string | undefined {
  const libraries = path.join(root, "usr", "lib");
  if (!existsSync(libraries)) return undefined;
  const folders = ["", ...readdirSync(libraries).filter((name) => name.includes("linux-gnu"))];
  return folders
    .map((folder) => path.join(libraries, folder, "faketime", "libfaketimeMT.so.1"))
    .find((file) => existsSync(file));
}
