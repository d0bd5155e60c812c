import { type Comparison, compareDocuments } from "#core/legal/compare-documents.ts";
import { type LegalDocument, type LegalId, legalIds } from "#core/legal/legal-document.ts";
import { legalTexts } from "#core/legal/legal-texts.ts";
import {
  findVersion,
  type LegalVersion,
  legalVersions,
  versionInForce,
} from "#core/legal/legal-versions.ts";
import { hashOf } from "#core/legal/plain-text.ts";

export type VersionFacts = Omit<LegalVersion, "document">;

/** What the page of a legal text shows. */
export interface LegalView {
  document: LegalDocument;
  shown: VersionFacts;
  inForce: VersionFacts;
  /** Newest first. */
  versions: VersionFacts[];
  /** False: the program's text differs from the one that was published under this number. */
  isAsPublished: boolean;
  compared: { with: VersionFacts; comparison: Comparison } | null;
}

/**
 * Reads the page's address: `?tab=privacy`, `&version=1.0` for an earlier version, `&compare=1.0` for what
 * changed since. Null when it names what there is not.
 */
export function legalView(params: URLSearchParams, day: string): LegalView | null {
  const id = params.get("tab") ?? "terms";
  if (!isLegalId(id)) return null;
  const inForce = versionInForce(id, day);
  const shown = askedVersion(params.get("version"), id, inForce);
  const other = askedVersion(params.get("compare"), id, null);
  if (!shown || (params.has("compare") && !other)) return null;
  const document = textOf(shown);
  return {
    document,
    shown: factsOf(shown),
    inForce: factsOf(inForce),
    versions: legalVersions[id].map(factsOf).toReversed(),
    isAsPublished: hashOf(document) === shown.sha256,
    compared: other && {
      with: factsOf(other),
      comparison: compareDocuments(textOf(other), document),
    },
  };
}

/** The newest version is read from the program, so that it holds the numbers that the engine uses. */
export function textOf({ version, document }: LegalVersion): LegalDocument {
  const isNewest = legalVersions[document.id].at(-1)?.version === version;
  return isNewest ? legalTexts()[document.id] : document;
}

function isLegalId(text: string): text is LegalId {
  return legalIds.some((id) => id === text);
}

function askedVersion<Otherwise>(asked: string | null, id: LegalId, otherwise: Otherwise) {
  return asked === null ? otherwise : findVersion(id, asked);
}

function factsOf({ document: _, ...facts }: LegalVersion): VersionFacts {
  return facts;
}
