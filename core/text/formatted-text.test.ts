import fc from "fast-check";
import { expect, test } from "vitest";
import { isSafeHref, parseFormatted, plainText, toHtml } from "./formatted-text.ts";

const site = "https://mining.example.com";

test("reads paragraphs, lists, strong words and links", () => {
  const blocks = parseFormatted(
    "First **line**\nruns on.\n\n- one\n- [two](/terms)\n\nLast [mail](mailto:a@example.com).",
  );
  expect(blocks.map(({ kind }) => kind)).toEqual(["paragraph", "list", "paragraph"]);
  expect(plainText(blocks)).toBe("First line runs on.\none\ntwo\nLast mail.");
  expect(toHtml(blocks, site)).toBe(
    '<p>First <strong>line</strong> runs on.</p><ul><li>one</li><li><a href="https://mining.example.com/terms">two</a></li></ul><p>Last <a href="mailto:a@example.com">mail</a>.</p>',
  );
});

test("markup is text like any other", () => {
  const typed = '<script>alert("1")</script> & <b>bold</b>';
  expect(plainText(parseFormatted(typed))).toBe(typed);
  expect(toHtml(parseFormatted(typed), site)).not.toMatch(/<(?!\/?p>)/);
});

test.each([
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "data:text/html,x",
  "//evil.example",
  "/\\evil.example",
  "http://plain.example",
  "vbscript:x",
  "https://example.com:port/",
  "https://[",
])("%s is no place for a link", (href) => {
  expect(isSafeHref(href)).toBe(false);
  expect(toHtml(parseFormatted(`[click](${href})`), site)).toBe("<p>click</p>");
});

test("whatever is typed, no tag comes out but our own, and no script gets into a link", () => {
  const typed = fc.string({ unit: fc.constantFrom(..."<>\"'&*[]()-/:ajs \n\0") });
  fc.assert(
    fc.property(typed, (text) => {
      const html = toHtml(parseFormatted(text), site);
      const ours = /<\/?(?:p|ul|li|strong|a)(?: href="(?:https:|mailto:)[^"<>]*")?>/g;
      expect(html.replace(ours, "")).not.toMatch(/[<>"']/);
    }),
  );
});
