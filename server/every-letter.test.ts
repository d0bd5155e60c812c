import { describe, expect, test } from "vitest";
import { testSite } from "#tests/factories/customer.ts";
import { letters } from "#tests/factories/letters.ts";

const imprint = ["Assay Ltd, Register 12345", "1 Mint Street, London"];

/** The words of a letter's HTML, and where its links lead, without what is not shown. */
function wordsOfHtml(html: string): Set<string> {
  const shown = html
    .slice(html.indexOf("</div>"))
    .replace(/<a[^>]*href="([^"]*)"[^>]*>/g, " $1 ")
    .replace(/<span style="white-space:nowrap">([^<]*)<\/span>/g, "$1")
    .replace(/<[^>]*>/g, " ");
  return wordsOf(asText(shown));
}

function asText(html: string): string {
  const signs: Record<string, string> = {
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    "#39": "'",
    nbsp: " ",
  };
  return html.replace(/&(#?\w+);/g, (whole, name) => signs[name] ?? whole);
}

/** Names of figures end with a colon in the text alone. */
function wordsOf(text: string): Set<string> {
  const words = text.split(/\s+/).map((word) => word.replace(/:$/, ""));
  return new Set(words.filter((word) => !["", "--", "·"].includes(word)));
}

describe.each(letters)("%s", (_, mail) => {
  const { text, html } = mail.write("blue heron", { isKnown: true, imprint });

  test("says the same as text and as HTML", () => {
    const [inText, inHtml] = [wordsOf(text), wordsOfHtml(html)];
    const host = testSite.appUrl.replace("http://", "");
    expect([...inText].filter((word) => !inHtml.has(word))).toEqual([]);
    expect([...inHtml].filter((word) => !inText.has(word) && word !== host)).toEqual([]);
  });

  test("says why it comes, and who sends it", () => {
    expect(text).toMatch(/^(You get this|If you do not want)/m);
    expect(text).toMatch(/^Assay Ltd/m);
  });

  test("shows an address in full only where opening it does something", () => {
    const shown = html.match(/break-all;color:#5B5F69">(https?:[^<]*)</)?.[1];
    if (shown !== undefined) expect(mail.holdsLink).toBe(true);
  });

  test("writes days and minus signs as prose does, and asks for no answer that nobody reads", () => {
    expect(text).not.toMatch(/\b\d{4}-\d{2}-\d{2}\b/);
    expect(text).not.toMatch(/(^|\s)-\$?\d/m);
    expect(text).not.toMatch(/answer this (e-)?mail/);
    expect(text).not.toMatch(/\b(whoever|somebody|nobody|by itself|his|him)\b/i);
  });

  test("loads nothing from elsewhere", () => {
    const sources = [...html.matchAll(/\ssrc="([^"]*)"/g)].map(([, source]) => source);
    expect(sources).toEqual(["cid:mark@mail"]);
    expect(html).not.toMatch(/url\(|<link|@import/);
  });
});

test("keeps amounts, dates and units on one line each", () => {
  const [, bought] = letters.find(([name]) => name.startsWith("contract-bought")) ?? [];
  const { html } = bought?.write(null) ?? { html: "" };
  for (const figure of ["0.00099123 BTC", "$108.00", "26 Nov 2026", "25 Nov 2026, 01:20 UTC"]) {
    expect(html).toContain(`<span style="white-space:nowrap">${figure}</span>`);
  }
  expect(html).toContain("−$104.33");
});
