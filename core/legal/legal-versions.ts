import type { LegalDocument, LegalId } from "./legal-document.ts";
import cookies from "./versions/cookies.json" with { type: "json" };
import disclaimer from "./versions/disclaimer.json" with { type: "json" };
import privacy from "./versions/privacy.json" with { type: "json" };
import terms from "./versions/terms.json" with { type: "json" };

/** A text as it was published. It is never edited: a changed text is a further version. */
export interface LegalVersion {
  /** Two numbers: the first grows when rights or duties change, the second with everything else. */
  version: string;
  /** The UTC day from which it applies, YYYY-MM-DD. */
  effectiveFrom: string;
  /** What changed, in a sentence. */
  summary: string;
  /** Of its plain text: see plain-text.ts. */
  sha256: string;
  document: LegalDocument;
}

/** Every version of every text, oldest first: `npm run legal -- publish` adds to them. */
export const legalVersions: Record<LegalId, readonly LegalVersion[]> = {
  terms: terms as LegalVersion[],
  privacy: privacy as LegalVersion[],
  disclaimer: disclaimer as LegalVersion[],
  cookies: cookies as LegalVersion[],
};

/** The terms that come with the product, a model: an operator's own are a version after it. */
export const modelTerms = "1.0";

/** The version that applies on a UTC day: the newest that has begun, or the first before any has. */
export function versionInForce(id: LegalId, day: string): LegalVersion {
  const versions = legalVersions[id];
  const begun = versions.findLast(({ effectiveFrom }) => effectiveFrom <= day) ?? versions[0];
  if (!begun) throw new Error(`no version of ${id}`);
  return begun;
}

export function findVersion(id: LegalId, version: string): LegalVersion | null {
  return legalVersions[id].find((each) => each.version === version) ?? null;
}
