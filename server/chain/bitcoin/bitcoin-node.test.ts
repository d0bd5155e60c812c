import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the page about nodes names every question that Bitcoin Core must answer, and no other", () => {
  const source = readFileSync("server/chain/bitcoin/bitcoin-node.ts", "utf8");
  const asked = [...source.matchAll(/#ask\(\s*"([a-z]+)"/g)].map(([, name]) => name);
  const page = readFileSync("docs/operating/chain.md", "utf8");
  const [, list = ""] = /`rpcwhitelist=` with ([^)]*)\)/.exec(page) ?? [];
  const named = list.match(/\b(?:get|scan|send|test|estimate)[a-z]+/g) ?? [];
  expect(named.toSorted()).toEqual([...new Set(asked)].toSorted());
});
