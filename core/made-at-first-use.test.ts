import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/**
 * What a browser's script brings along of this folder, it runs when it is loaded. Making the first format takes a browser longer
 * than all the rest of the public pages' script.
 */
test("no file makes a format of numbers, days or names while it is loaded", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.includes(".test."),
  );
  expect(files.length).toBeGreaterThan(50);
  const making = /^(?:export )?(?:const|let) .*\bnew Intl\b/m;
  expect(
    files.filter((file) => making.test(readFileSync(path.join(import.meta.dirname, file), "utf8"))),
  ).toEqual([]);
});
