import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * Words that only this house used, and the trade's word for each (`docs/glossary.md`). No file and no export has them; in an
 * identifier the words of one entry are joined as usual (`keptPage`, `kept-page`, `kept_page`).
 */
const tradesWords: Record<string, string> = {
  "ask thread": "run in worker thread",
  "carried file": "resumed file",
  "carried form": "resumed form",
  "carry form": "resume form",
  "half session": "pending MFA session",
  "kept address": "cached address",
  "kept page": "cached page",
  "let pages go first": "lower thread pool priority",
  "open gate": "limit concurrency",
  "read together": "pipeline reads",
  "reading context": "locale preferences",
  "second factor": "MFA",
  "share reading": "memoize for",
  "strangers gate": "limit anonymous requests",
  "tell refused": "refused file page",
  "use reading": "use locale preferences",
  "verification level": "KYC tier",
};

const folders = ["app", "bench", "core", "database", "scripts", "server", "tests"];
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
);
const oldNames = new RegExp(
  Object.keys(tradesWords)
    .map((words) => words.split(" ").join("[-_]?"))
    .join("|"),
  "i",
);

test("no file has a name that only this house used", () => {
  expect(files.filter((file) => oldNames.test(file.split("/").at(-1) ?? ""))).toEqual([]);
});

test("no exported identifier has one", () => {
  const sources = files.filter((file) => /(?<!\.d)\.tsx?$/.test(file));
  const exported = sources.flatMap((file) =>
    [
      ...readFileSync(file, "utf8").matchAll(
        /^export (?:async )?(?:const|function\*?|class|interface|type|let) (\w+)/gm,
      ),
    ].map(([, name = ""]) => `${file}: ${name}`),
  );
  expect(exported.length).toBeGreaterThan(1000);
  expect(exported.filter((each) => oldNames.test(each.split(": ").at(-1) ?? ""))).toEqual([]);
});
