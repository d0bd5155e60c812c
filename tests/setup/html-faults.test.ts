import { expect, test } from "vitest";
import { htmlFaults } from "./html-faults.ts";

const page = (body: string) =>
  `<!DOCTYPE html><html lang="en"><head><title>x</title></head><body>${body}</body></html>`;

test.each([
  [
    "details after a caption",
    "<figure><p>x</p><figcaption>x</figcaption><details><summary>x</summary></details></figure>",
  ],
  ["a block in a phrase", "<span><div>x</div></span>"],
  ["style in the body", "<form><style>p{color:red}</style></form>"],
  [
    "a head without scope",
    '<table><thead><tr><th>x</th><th>y</th></tr></thead><tbody><tr><th scope="row">1</th><td>2</td></tr></tbody></table>',
  ],
])("%s is found", async (_, body) => {
  expect(await htmlFaults(page(body))).not.toEqual([]);
});

test("nothing is found wrong with a plain page", async () => {
  expect(await htmlFaults(page("<h1>x</h1><p>y</p>"))).toEqual([]);
});
