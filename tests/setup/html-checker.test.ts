import { afterAll, expect, test } from "vitest";
import { startHtmlChecker } from "./html-checker.ts";

const checker = await startHtmlChecker();
afterAll(() => checker.stop());
const page = (body: string) =>
  `<!DOCTYPE html><html lang="en"><head><title>x</title></head><body>${body}</body></html>`;

test.each([
  [
    "details after a caption",
    "<figure><p>x</p><figcaption>x</figcaption><details><summary>x</summary></details></figure>",
  ],
  ["a block in a phrase", "<span><div>x</div></span>"],
  ["style in the body", "<form><style>p{color:red}</style></form>"],
  ["an image without words", '<img src="/x.png">'],
  ["a label of nothing", '<label for="nothing">x</label>'],
])("%s is found", async (_, body) => {
  expect(await checker.faultsOf(page(body))).not.toEqual([]);
});

test("nothing is found wrong with a plain page", async () => {
  expect(await checker.faultsOf(page("<h1>x</h1><p>y</p>"))).toEqual([]);
});
