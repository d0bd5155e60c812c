import fc from "fast-check";
import { expect, test } from "vitest";
import { diffWords, type Piece } from "./diff-words.ts";

const text = (pieces: Piece[], without: Piece["kind"]) =>
  pieces
    .filter(({ kind }) => kind !== without)
    .map((piece) => piece.text)
    .join("");

test("shows a changed number as one word that went and one that came", () => {
  expect(
    diffWords("not less than 0.00000685 BTC a day", "not less than 0.00000700 BTC a day"),
  ).toEqual([
    { kind: "same", text: "not less than " },
    { kind: "removed", text: "0.00000685" },
    { kind: "added", text: "0.00000700" },
    { kind: "same", text: " BTC a day" },
  ]);
});

test("reads two neighbouring changed words as one change", () => {
  expect(diffWords("within 30 days of it", "within two weeks of it")).toEqual([
    { kind: "same", text: "within " },
    { kind: "removed", text: "30 days" },
    { kind: "added", text: "two weeks" },
    { kind: "same", text: " of it" },
  ]);
});

test("leaves an unchanged text alone, and copes with none", () => {
  expect(diffWords("as it was", "as it was")).toEqual([{ kind: "same", text: "as it was" }]);
  expect(diffWords("", "new")).toEqual([{ kind: "added", text: "new" }]);
  expect(diffWords("old", "")).toEqual([{ kind: "removed", text: "old" }]);
  expect(diffWords("", "")).toEqual([]);
});

test("gives back either text, whatever the two are", () => {
  const word = fc.constantFrom(
    "fee",
    "of",
    "30",
    "days",
    "0.0007",
    "BTC",
    ",",
    " ",
    "  ",
    "ü",
    "“",
  );
  const words = fc.array(word, { maxLength: 25 }).map((parts) => parts.join(" "));
  fc.assert(
    fc.property(words, words, (before, after) => {
      const pieces = diffWords(before, after);
      expect(text(pieces, "added")).toBe(before);
      expect(text(pieces, "removed")).toBe(after);
    }),
  );
});
