import type { LegalId } from "#core/legal/legal-document.ts";

/** Where a text is; with `version` as it once was, with `compare` next to an earlier version. */
export function legalAddress(
  id: LegalId,
  asked: { version?: string; compare?: string } = {},
): string {
  const params = new URLSearchParams(
    id === "terms" && !asked.version && !asked.compare ? {} : { tab: id },
  );
  if (asked.version) params.set("version", asked.version);
  if (asked.compare) params.set("compare", asked.compare);
  return params.size > 0 ? `/terms?${params}` : "/terms";
}

/** The bytes of a version, as its hash was taken of them. */
export function plainTextAddress(id: LegalId, version: string): string {
  return `/terms/${id}-${version}.txt`;
}
