import { expect, test } from "vitest";
import { testApp } from "#tests/setup/test-app.ts";

const plain = await testApp();
const changed = await testApp({ SOURCE_URL: "https://code.example.com/assay" });

const footOf = async ({ request }: typeof plain, path: string) =>
  /<footer[\s\S]*<\/footer>/.exec(await (await request(path)).text())?.[0] ?? "";

test("the foot of every public page links to the source that the operator has named", async () => {
  for (const path of ["/", "/terms", "/contact"]) {
    const foot = await footOf(changed, path);
    expect(foot, path).toContain('<a href="https://code.example.com/assay">Source code</a>');
  }
});

test("without one there is no link to a source", async () => {
  const foot = await footOf(plain, "/");
  expect(foot).toContain("The small print");
  expect(foot).not.toContain("Source code");
});
