import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { requireUncommonPassword } from "./password-quality.ts";

const names = {
  email: "ada.lovelace@engine-works.example",
  siteName: "Assay",
  firstName: "Augusta",
  lastName: "King-Noel",
};

// From the yearly lists of leaked passwords, and what people make of them where a digit or a sign is asked for.
test.each([
  ...["password", "PassWord1", "ｐａｓｓｗｏｒｄ", "qwertyuiop", "P@ssw0rd123", "Welcome123!"],
  ...["iloveyou2008", "Password123!", "p@ssword1", "Pa$$w0rd!", "123456789", "1q2w3e4r5t"],
  ...["Qwerty123!", "letmein2024", "Admin123!", "administrator1", "changeme!", "ChangeMe2025"],
  ...["Summer2024!", "Winter2025", "football1!", "Liverpool1", "dragon123!", "Monkey2020"],
  ...["sunshine99", "Princess1!", "Superman2023", "trustno1!", "1qaz2wsx3edc", "zaq12wsx"],
  ...["abcd1234", "Abc12345!", "aaaaaaaa", "passwordpassword", "iloveyouiloveyou", "m0nkey!!"],
  ...["Michael1985", "jennifer12!", "starwars1977", "pokemon!23", "b@seball7", "L0nd0n2012"],
  ...["Bitcoin2024!", "S@toshi21", "crypto#1234", "secret!1", "hello2024"],
])("refuses %s: too common", (password) => {
  expect(() => requireUncommonPassword(password, names)).toThrow("identity/password-too-common");
});

test.each([
  ...["ada.lovelace@engine-works.example", "Ada.Lovelace1", "AssayAssay", "assay123"],
  ...["Lovelace1815!", "L0velace#1", "@ss4y-2026!", "Augusta1815", "kingnoel99", "King-Noel!"],
  ...["engine-works1", "3ngine-W0rks24", "augustaking1"],
])("refuses %s: a name", (password) => {
  expect(() => requireUncommonPassword(password, names)).toThrow("identity/password-is-a-name");
});

test.each([
  ...["correct horse battery", "assay of my ore", "lovelace and babbage", "kX9#vQ2mLp"],
  ...["7fq2x-88hjw", "vier Birnen im Schnee", "grüne-Tinte-am-Dienstag", "xkfj29dkq"],
  ...["my cat eats 3 tulips", "Tr0ub4dor&3x-plinth", "zR8!pWq4nB", "u7Gh-29xK-mmQ1"],
  ...["lantern.orchid.quarry", "dragonfly over Ghent 12", "monkey-7fq2xK9v", "9481-7720-1136-5502"],
  ...["Meine Oma fährt Motorrad", "wasserfallkaktus", "nine purple ducks", "QeP2jj0Zk1"],
  ...[
    "sommer am see, 1987 war er",
    "correcthorsebattery",
    "saltpetre & brine",
    "iloveyou-but-not-mondays",
  ],
])("takes %s", (password) => {
  expect(() => requireUncommonPassword(password, names)).not.toThrow();
});

test("a short name forbids nothing by itself", () => {
  const short = { email: "jo@example.com", siteName: "X", firstName: "Jo", lastName: "Li" };
  expect(() => requireUncommonPassword("jo-7fq2x", short)).not.toThrow();
});

test("ships some 49,000 common passwords and what they are made of, each once, in lower case", () => {
  const file = new URL("common-passwords.txt.br", import.meta.url);
  const lines = brotliDecompressSync(readFileSync(file)).toString("utf8").trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(45_000);
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.filter((line) => line !== line.normalize("NFKC").toLowerCase())).toEqual([]);
});
