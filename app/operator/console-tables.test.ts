import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const pages = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".tsx"))
  .map((file) => ({ file, source: readFileSync(path.join(import.meta.dirname, file), "utf8") }));

test("no page of the console builds a table by hand: each is a DataTable with its columns as data", () => {
  const byHand = pages.filter(({ source }) =>
    /<(table|thead|tr|th|td)\b|<Table|TableFrame/.test(source),
  );
  expect(byHand.map(({ file }) => file)).toEqual([]);
});

test("a list that goes on over pages is a QueuePage, and a file to download comes by one link", () => {
  const others = pages.filter(({ file }) => file !== "parts/queue-page.tsx");
  const pagers = others.filter(({ source }) => source.includes("<OlderNewer"));
  // One of several panels of a customer's page, each.
  const inPanels = ["customers/mail.tsx", "customers/statement-table.tsx"];
  expect(pagers.map(({ file }) => file).sort()).toEqual(inPanels);
  const links = others.filter(({ source }) => source.includes("Download as CSV"));
  expect(links.map(({ file }) => file)).toEqual([]);
});

test("a page with an act is read again for who came second, so that it shows what a colleague did", () => {
  const withActs = pages.filter(({ source }) =>
    /^export (async )?(function|const) action\b/m.test(source),
  );
  expect(withActs.length).toBeGreaterThan(30);
  const forgetful = withActs.filter(
    ({ source }) => !source.includes("export const shouldRevalidate = readAfterConflict;"),
  );
  expect(forgetful.map(({ file }) => file)).toEqual([]);
});
