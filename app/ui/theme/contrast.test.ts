import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { contrast } from "./contrast.ts";
import { dark, light, type Token, variableOf } from "./tokens.ts";

const grounds: Token[] = ["paper", "card", "sunken"];
const words: Token[] = [
  "ink",
  "muted",
  "copper",
  "copperHover",
  "patina",
  "brick",
  "brickHover",
  "amber",
];
const onTints: [Token, Token][] = [
  ["ink", "copperTint"],
  ["copper", "copperTint"],
  ["ink", "patinaTint"],
  ["patina", "patinaTint"],
  ["ink", "brickTint"],
  ["brick", "brickTint"],
  ["ink", "amberTint"],
  ["amber", "amberTint"],
  ["onCopper", "copper"],
  ["onCopper", "copperHover"],
  ["onCopper", "brick"],
  ["onCopper", "brickHover"],
];

test("the sheet has the colours of the tokens", () => {
  const sheet = readFileSync("app/ui/theme/theme.css", "utf8");
  const said = [...sheet.matchAll(/^ {2}(--assay-[\w-]+): (light-dark\(.*\));$/gm)];
  expect(Object.fromEntries(said.map(([, name, value]) => [name, value]))).toEqual(
    Object.fromEntries(
      (Object.keys(light) as Token[]).map((token) => [
        variableOf(token),
        `light-dark(${light[token]}, ${dark[token]})`.toLowerCase(),
      ]),
    ),
  );
});

test("contrast is 21 for black on white and 1 for a colour on itself", () => {
  expect(contrast("#000000", "#FFFFFF")).toBeCloseTo(21);
  expect(contrast("#A84F20", "#A84F20")).toBe(1);
});

describe.each([
  ["light", light as Record<Token, string>],
  ["dark", dark],
])("in the %s scheme", (_, scheme) => {
  const pairs = [
    ...words.flatMap((word) => grounds.map((on): [Token, Token] => [word, on])),
    ...onTints,
  ];

  test.each(pairs)("%s on %s reads as text", (word, on) => {
    expect(contrast(scheme[word], scheme[on])).toBeGreaterThanOrEqual(4.5);
  });

  test.each(grounds)("the border of a field stands out from %s", (on) => {
    expect(contrast(scheme.fieldBorder, scheme[on])).toBeGreaterThanOrEqual(3);
  });
});
