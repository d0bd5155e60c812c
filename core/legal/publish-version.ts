import { isDay } from "../utc-day.ts";
import type { LegalDocument } from "./legal-document.ts";
import type { LegalVersion } from "./legal-versions.ts";
import { hashOf } from "./plain-text.ts";

interface Publication {
  document: LegalDocument;
  version: string;
  effectiveFrom: string;
  /** What changed, in a sentence. */
  summary: string;
  /** Writes the newest version anew: only before anybody has seen it. */
  again?: boolean;
}

/** Adds a text as it reads now to its versions, or says in words why not. */
export function publishVersion(
  published: readonly LegalVersion[],
  { again = false, ...publication }: Publication,
): LegalVersion[] | string {
  const { document, version, effectiveFrom, summary } = publication;
  const earlier = again ? published.slice(0, -1) : published;
  const sha256 = hashOf(document);
  const newest = earlier.at(-1);
  if (!/^\d+\.\d+$/.test(version)) return `A version is two numbers, such as 1.1, not ${version}.`;
  if (!isDay(effectiveFrom)) return `${effectiveFrom} is no day. Write it YYYY-MM-DD.`;
  if (!/^[A-Z].{5,200}\.$/.test(summary)) return "Say in one sentence what changed.";
  if (newest && !isHigher(version, newest.version))
    return `The newest version is ${newest.version}: the next one is higher.`;
  if (newest && newest.sha256 === sha256) return `The text is that of version ${newest.version}.`;
  if (newest && newest.effectiveFrom >= effectiveFrom)
    return `Version ${newest.version} begins on ${newest.effectiveFrom}: the next one begins later.`;
  return [...earlier, { version, effectiveFrom, summary, sha256, document }];
}

function isHigher(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldMajor = 0, oldMinor = 0] = than.split(".").map(Number);
  return major > oldMajor || (major === oldMajor && minor > oldMinor);
}
