import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { LegalBlock, LegalDocument } from "./legal-document.ts";

/** The text of a document in one plain form, links with their addresses: what is hashed, and can be downloaded. */
export function toPlainText({ title, opening, sections }: LegalDocument): string {
  const parts = sections.flatMap(({ title: heading, blocks }, index) => [
    `${index + 1}. ${heading}`,
    ...blocks.map(blockText),
  ]);
  return `${[title.toUpperCase(), ...opening.map(inText), ...parts].join("\n\n")}\n`;
}

/** SHA-256 of the plain text, in hex: the same for whoever downloads it. */
export function hashOf(document: LegalDocument): string {
  return bytesToHex(sha256(utf8ToBytes(toPlainText(document))));
}

function blockText(block: LegalBlock): string {
  if (typeof block === "string") return inText(block);
  if ("list" in block) return block.list.map((entry) => `- ${inText(entry)}`).join("\n");
  return [block.head, ...block.rows].map((row) => row.map(inText).join(" | ")).join("\n");
}

function inText(words: string): string {
  return words.replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, "$1 <$2>").replaceAll("`", "");
}
