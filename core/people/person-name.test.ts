import { expect, test } from "vitest";
import { nameProblem } from "./person-name.ts";

test.each([
  "Ada",
  "Anne-Marie",
  "O'Neil",
  "O’Neil",
  "St. John",
  "J. R. R.",
  "J.R.R.",
  "Martin Luther King Jr.",
  "Jean\u00a0Luc",
  "محمد",
  "می\u200cنا",
  "李",
  "小龙",
  "Ðợ",
  "Zoe\u0308",
  "Nguyễn Văn",
  "Ἀλέξανδρος",
  "Łukasz",
  "ქეთევან",
  "श्री\u200dमती",
  "박지성",
  "Dvořák",
  "d'Artagnan",
])("%s is a name", (name) => {
  expect(nameProblem(name)).toBeNull();
});

test.each([
  "You won 2 BTC! Claim now at bonus.example/win",
  "bonus.example",
  "Win at bonus .example",
  "evil.com",
  "b\u0301.e\u0301xa\u0301",
  "https://evil.example",
  "www.evil.example",
  "mail@evil.example",
  "Call 0800 123",
  "Ada\nYour account is closed",
  "Ada\u2028Lovelace",
  "Ada\u202emoc",
  "Ada\u200b",
  "A\u200cda",
  "A\u200dda",
  "Ada\u2060",
  "Ada\ufeff",
  "Ada\u00ad",
  "\u3164",
  "\uffa0\u115f",
  "Ada\u034f",
  "Ada\ufe0f",
  "\u{e0041}Ada",
  "Ada 🎁",
  "Ada $",
  "Ada ₿",
  "<b>Ada</b>",
  "Ada：evil",
  "evil．example",
  "evil。example",
  "...",
  "-",
  "' '",
  `Z${"\u0301".repeat(12)}`,
])("%j is none", (name) => {
  expect(nameProblem(name)).toMatch(/letters/);
});

test("one hundred characters are enough", () => {
  expect(nameProblem("a".repeat(100))).toBeNull();
  expect(nameProblem("a".repeat(101))).toMatch(/too long/);
});
