import { expect, test } from "vitest";
import { compareDocuments } from "./compare-documents.ts";
import { type LegalDocument, type LegalSection, legalIds } from "./legal-document.ts";
import { legalTexts } from "./legal-texts.ts";

const text = (sections: LegalSection[], opening = ["Read this."]): LegalDocument => ({
  id: "terms",
  title: "Terms",
  opening,
  sections,
});
const fees: LegalSection = {
  id: "fees",
  title: "Fees",
  blocks: [
    "The fee is taken from the balance once a day.",
    { list: ["It changes with 7 days' notice.", "It is [shown](/account) before."] },
  ],
};
const law: LegalSection = { id: "law", title: "Law", blocks: ["The law of the place applies."] };

test("finds the changed words of one line and leaves the others alone", () => {
  const changed: LegalSection = {
    ...fees,
    blocks: [
      fees.blocks[0] ?? "",
      { list: ["It changes with 14 days' notice.", "It is [shown](/account) before."] },
    ],
  };
  const { sections, counts } = compareDocuments(text([fees, law]), text([changed, law]));
  expect(sections.map(({ id, fate }) => [id, fate])).toEqual([
    ["opening", "same"],
    ["fees", "changed"],
    ["law", "same"],
  ]);
  expect(counts).toEqual({ same: 7, changed: 1, added: 0, removed: 0 });
  expect(sections[1]?.lines[2]?.pieces).toEqual([
    { kind: "same", text: "It changes with " },
    { kind: "removed", text: "7" },
    { kind: "added", text: "14" },
    { kind: "same", text: " days' notice." },
  ]);
});

test("shows what came and what went in its place", () => {
  const cards: LegalSection = { id: "cards", title: "Cards", blocks: ["No cards."] };
  const { sections } = compareDocuments(text([fees, cards, law]), text([law, fees]));
  expect(sections.map(({ id, fate }) => [id, fate])).toEqual([
    ["opening", "same"],
    ["law", "same"],
    ["fees", "same"],
    ["cards", "removed"],
  ]);
});

test("takes a line that has little in common for another line", () => {
  const other = { ...law, blocks: ["You may leave whenever you like."] };
  const lines = compareDocuments(text([law]), text([other])).sections[1]?.lines;
  expect(lines?.map(({ fate }) => fate)).toEqual(["same", "removed", "added"]);
});

test("a renamed section is the same section, by its id", () => {
  const renamed = { ...law, title: "Law and courts" };
  const { sections } = compareDocuments(text([law]), text([renamed]));
  expect(sections[1]).toMatchObject({ id: "law", title: "Law and courts", fate: "changed" });
});

test("the product's own texts do not differ from themselves", () => {
  for (const id of legalIds) {
    const { counts } = compareDocuments(legalTexts()[id], legalTexts()[id]);
    expect(counts).toMatchObject({ changed: 0, added: 0, removed: 0 });
  }
});
