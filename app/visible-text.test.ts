import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseAst } from "vite";
import { expect, test } from "vitest";

/** Words with which a sentence hides who acts, or that nobody says of a figure or a person. */
const habits: Record<string, RegExp> = {
  whoever: /\bwhoever\b/i,
  "who at the start of a sentence": /(?:^|[.!:;] )Who [^?]*$/,
  "nobody, somebody, everybody, anybody": /\b(?:nobody|somebody|everybody|anybody)\b/i,
  stands: /\bstands?\b/i,
  lies: /\blies\b/i,
  beside: /\bbeside\b/i,
  "of yours, of ours": /\bof (?:yours|ours|mine|his|hers|theirs)\b/i,
  "by itself": /\bby (?:itself|themselves)\b/i,
  "he, his, him": /\b(?:he|his|him|she|her)\b/i,
};

/** What people read: pages, mails, documents, and the texts that both print. */
const sources = [
  "app/{account,auth,security,site,ui}/**/*.{ts,tsx}",
  "app/*.{ts,tsx}",
  "core/**/*.ts",
  "server/content/*.ts",
  "server/**/{*-mail,*-mails,write-*-pdf,personal-tables,queue-security-mail}.ts",
  "server/**/mails.ts",
];

test("no text that people read hides who acts", () => {
  const found = filesOf(sources).flatMap((file) =>
    textsIn(file).flatMap((text) =>
      Object.entries(habits)
        .filter(([, habit]) => habit.test(text))
        .map(([name]) => `${file}: ${name}: ${text}`),
    ),
  );
  expect(found).toEqual([]);
});

const root = path.resolve(import.meta.dirname, "..");

function filesOf(patterns: string[]): string[] {
  const files = patterns.flatMap((pattern) => {
    const found = globSync(pattern, { cwd: root });
    if (found.length === 0) throw new Error(`${pattern} matches no file`);
    return found;
  });
  return [...new Set(files)].filter((file) => !/\.test\.|\.d\.ts$/.test(file));
}

interface Node {
  type: string;
  [key: string]: unknown;
}

/** Text between tags, and strings and templates of several words; code for browsers and SQL are none. */
function textsIn(file: string): string[] {
  const source = readFileSync(path.join(root, file), "utf8");
  const texts: string[] = [];
  const visit = (node: Node) => {
    if (/^(?:TaggedTemplate|ImportDecl|TSTypeAl|TSInterface)/.test(node.type)) return;
    if (isErrorForTheLog(node)) return;
    const text = textOf(node);
    if (text !== undefined) texts.push(text.replace(/\s+/g, " ").trim());
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
  };
  visit(parseAst(source, { lang: file.endsWith("x") ? "tsx" : "ts" }) as unknown as Node);
  return texts.filter((text) => / /.test(text));
}

function textOf(node: Node): string | undefined {
  if (node.type === "JSXText") return String(node["value"]);
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node.type !== "TemplateLiteral") return undefined;
  const parts = node["quasis"] as Array<{ value: { cooked: string } }>;
  return parts.map(({ value }) => value.cooked).join("…");
}

function isErrorForTheLog({ type, callee }: Node): boolean {
  return type === "NewExpression" && isNode(callee) && callee["name"] === "Error";
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}
