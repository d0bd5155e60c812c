import { expect, test } from "vitest";
import { slugOf, slugPattern } from "./slug.ts";

test.each([
  ["How is it paid?", "how-is-it-paid"],
  ["What’s a “contract”?", "whats-a-contract"],
  ["Où sont les machines ?", "ou-sont-les-machines"],
  ["  --  ", ""],
  ["何", ""],
])("%s becomes %s", (title, slug) => {
  expect(slugOf(title)).toBe(slug);
});

test("a long title becomes a short name that is still one", () => {
  const slug = slugOf("why ".repeat(100));
  expect(slug.length).toBeLessThanOrEqual(80);
  expect(slug).toMatch(slugPattern);
});
