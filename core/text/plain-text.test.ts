import { expect, test } from "vitest";
import { oneLine, paragraphsOf, plainText } from "./plain-text.ts";

test.each([
  ["Ada  Lovelace ", "Ada Lovelace"],
  ["Hi\r\nBcc: victim@example.com", "Hi Bcc: victim@example.com"],
  ["a\u2028b\u2029c\u0085d\0e", "a b c d e"],
  ["\u202Efdp.exe", "fdp.exe"],
  ["Zoë 北京 👩‍🔧", "Zoë 北京 👩‍🔧"],
])("%j becomes the line %j", (text, line) => {
  expect(oneLine(text)).toBe(line);
});

test.each([
  ["one\r\n\r\ntwo\rthree", "one\n\ntwo\nthree"],
  [" \ta\0\u0007b\u202E \n", "ab"],
  ["tab\tstays", "tab\tstays"],
])("%j becomes the text %j", (text, plain) => {
  expect(plainText(text)).toBe(plain);
});

test("blank lines part paragraphs, however many", () => {
  expect(paragraphsOf("one\nstill one\n\n \n\ntwo\n")).toEqual(["one\nstill one", "two"]);
});
