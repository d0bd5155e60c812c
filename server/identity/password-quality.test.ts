import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { terms } from "#core/terms.ts";
import { requireUncommonPassword } from "./password-quality.ts";

const names = { email: "ada.lovelace@example.com", siteName: "Assay" };

test.each([
  ["password", "too-common"],
  ["PassWord1", "too-common"],
  ["ｐａｓｓｗｏｒｄ", "too-common"],
  ["qwertyuiop", "too-common"],
  ["ada.lovelace@example.com", "is-a-name"],
  ["Ada.Lovelace1", "is-a-name"],
  ["AssayAssay", "is-a-name"],
  ["assay123", "is-a-name"],
])("refuses %s: %s", (password, fault) => {
  expect(() => requireUncommonPassword(password, names)).toThrow(`identity/password-${fault}`);
});

test.each(["correct horse battery", "assay of my ore", "lovelace and babbage"])(
  "takes %s",
  (password) => {
    expect(() => requireUncommonPassword(password, names)).not.toThrow();
  },
);

test("a short name forbids nothing by itself", () => {
  expect(() =>
    requireUncommonPassword("jo-7fq2x", { email: "jo@example.com", siteName: "X" }),
  ).not.toThrow();
});

test("ships 10,000 passwords that could be chosen here, each once, in lower case", () => {
  const file = new URL("common-passwords.txt", import.meta.url);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(lines).toHaveLength(10_000);
  expect(new Set(lines).size).toBe(10_000);
  expect(lines.filter((line) => line !== line.normalize("NFKC").toLowerCase())).toEqual([]);
  expect(lines.filter((line) => line.length < terms.minimumPasswordLength)).toEqual([]);
});
