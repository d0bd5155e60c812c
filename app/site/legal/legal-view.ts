import { type Comparison, compareDocuments } from "#core/legal/compare-documents.ts";
import { type LegalDocument, type LegalId, legalIds } from "#core/legal/legal-document.ts";
import { legalTexts } from "#core/legal/legal-texts.ts";
import {
  everApplies,
  findVersion,
  type LegalVersion,
  legalVersions,
  versionInForce,
} from "#core/legal/legal-versions.ts";
import { hashOf } from "#core/legal/plain-text.ts";

export interface VersionFacts extends Omit<LegalVersion, "document"> {
  /** False: a draft that was never in force. */
  applies: boolean;
}

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
 * Reads the page's address: `?tab=privacy`, `&version=0.1` for an earlier version, `&compare=0.1` for what
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

function factsOf(version: LegalVersion): VersionFacts {
  const { document: _, ...facts } = version;
  return { ...facts, applies: everApplies(version) };
}
