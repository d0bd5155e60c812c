import { type DebianPrograms, unpackDebianPrograms } from "./debian-programs.ts";

const prometheus: DebianPrograms = {
  name: "assay-prometheus-1",
  packages: { bookworm: ["prometheus"], trixie: ["libc6"] },
  programs: { prometheus: "usr/bin/prometheus", promtool: "usr/bin/promtool" },
  otherwise: "No Prometheus from Debian's packages.",
};

/** @returns the folder that holds prometheus and promtool */
export function ensurePrometheus(): string {
  return unpackDebianPrograms(prometheus);
}

if (import.meta.main) console.log(ensurePrometheus());
