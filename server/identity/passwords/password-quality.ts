import { readFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { Refusal } from "#core/refusal.ts";

/** What a password must not be made of. */
export interface Names {
  email: string;
  siteName: string;
  firstName: string;
  lastName: string;
}

/** So many letters and digits must remain when the names are taken out of it. */
const ownCharacters = 4;
/** Digits and signs around a word that guessers add to it, as long as a date; more of them are worth something of their own. */
const decorationLength = 8;
const shortestWord = 4;

/** Of our trade: guessers of a site try its words first. */
const tradeWords = ["bitcoin", "blockchain", "crypto", "ethereum", "hashrate", "mining", "satoshi"];

let common: Set<string> | undefined;

/**
 * Refuses a password that guessers try first: one of some 49,000 common ones, such a one with other letters for digits and
 * with digits or signs around it ("P@ssw0rd123"), or little more than the person's names, the e-mail address or the site's name, in
 * the same disguises. Nobody else is asked.
 *
 * @throws Refusal `identity/password-too-common` or `identity/password-is-a-name`
 */
export function requireUncommonPassword(password: string, names: Names): void {
  const typed = password.normalize("NFKC").toLowerCase();
  common ??= new Set([...readList(), ...tradeWords]);
  const words = wordsIn(typed);
  const own = ownWords(names);
  if (words.some((word) => isMadeOf(word, own))) {
    throw new Refusal("identity/password-is-a-name");
  }
  if (repeats.test(typed) || words.some((word) => common?.has(word))) {
    throw new Refusal("identity/password-too-common");
  }
}

/** "aaaaaaaa", "abcabcabc". */
const repeats = /^(.{1,3})\1+$/u;

/** What a password says without its disguise: letters for what looks like them, nothing around it, and once if repeated. */
function wordsIn(typed: string): string[] {
  const bare = [typed, ...plain(typed)].flatMap((text) => [
    text,
    text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""),
    withoutDecoration(text, /[^\p{L}]+$/u),
    withoutDecoration(text, /^[^\p{L}]+|[^\p{L}]+$/gu),
  ]);
  const words = bare.flatMap((text) => [text, ...plain(text)]);
  return [...new Set([...words, ...words.map(onceOf)])].filter(
    (word) => word.length >= shortestWord,
  );
}

const looks: Record<string, string> = {
  "@": "a",
  "4": "a",
  "8": "b",
  "3": "e",
  "6": "g",
  "9": "g",
  "!": "i",
  "|": "i",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t",
  "+": "t",
  "2": "z",
};

/** With letters in the place of what looks like them: 1 is an i or an l. */
function plain(text: string): string[] {
  return ["i", "l"].map((one) =>
    text.replace(/[^\p{L}]/gu, (sign) => (sign === "1" ? one : (looks[sign] ?? sign))),
  );
}

function withoutDecoration(text: string, decoration: RegExp): string {
  const word = text.replace(decoration, "");
  return text.length - word.length <= decorationLength ? word : text;
}

/** "lovelove" is "love". */
function onceOf(text: string): string {
  return /^(.{3,}?)\1+$/u.exec(text)?.[1] ?? text;
}

/** The names and their parts, as somebody would type them: with signs and without. */
function ownWords({ email, siteName, firstName, lastName }: Names): string[] {
  const address = email.toLowerCase();
  const [local = "", domain = ""] = address.split("@");
  const names = [siteName, firstName, lastName, `${firstName}${lastName}`].map((name) =>
    name.normalize("NFKC").toLowerCase(),
  );
  const whole = [address, local, domain, ...names];
  const parts = [local, domain.replace(/\.[^.]*$/, ""), ...names].flatMap((name) =>
    name.split(/[^\p{L}\p{N}]+/u),
  );
  const together = whole.map((name) => name.replace(/[^\p{L}\p{N}]/gu, ""));
  const found = [...whole, ...parts, ...together].filter((name) => name.length >= ownCharacters);
  // The longest first: "ada.lovelace" leaves less than "lovelace" does.
  return [...new Set(found)].sort((a, b) => b.length - a.length);
}

function isMadeOf(text: string, names: readonly string[]): boolean {
  const rest = names.reduce((left, name) => left.replaceAll(name, ""), text);
  return rest.length < text.length && rest.replace(/[^\p{L}\p{N}]/gu, "").length < ownCharacters;
}

/** What a form says at the password when it is refused, or null for another refusal. */
export function passwordFault(refusal: Refusal): string | null {
  if (refusal.code === "identity/password-too-common") {
    return "This is one of the passwords that guessers try first, or close to one. Please choose another";
  }
  if (refusal.code === "identity/password-is-a-name") {
    return "This is little more than your name, your e-mail address or our name. Please choose another";
  }
  if (refusal.code === "identity/password-breached") {
    return "This password stands in a list of leaked ones, so guessers have it. Please choose another";
  }
  return null;
}

/** Read when the first password is set: 0.5 MB unpacked. */
function readList(): string[] {
  const packed = readFileSync(path.join(import.meta.dirname, "common-passwords.txt.br"));
  return brotliDecompressSync(packed).toString("utf8").split("\n");
}
