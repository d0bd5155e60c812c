import { expect, test } from "vitest";
import { readCss, writeCss } from "./css-rules.ts";
import { usedCss } from "./used-css.ts";

const used = (css: string, html: string) => usedCss(readCss(css), html);

test("a sheet is written as it was read", () => {
  const css =
    '@layer base,mantine;@layer base{a{color:red}}@media (width>=40em){.a>.b:not(.c){content:"}{;,"}}' +
    "@font-face{font-family:X;src:url(data:font/woff2;base64,AA==)}@keyframes turn{to{rotate:1turn}}";
  expect(writeCss(readCss(css))).toBe(css);
});

test.each([
  ["a class that is there", ".a{color:red}", ".a{color:red}"],
  ["one that is not", ".z{color:red}", ""],
  ["all classes of a selector", ".a.b{color:red}", ".a.b{color:red}"],
  ["one of them missing", ".a .z{color:red}", ""],
  ["elements and attributes", 'p[data-x=".z"]{color:red}', 'p[data-x=".z"]{color:red}'],
  ["one of several selectors", ".z,.a:hover{color:red}", ".a:hover{color:red}"],
  ["what a selector excludes", ".a:not(.z){color:red}", ".a:not(.z){color:red}"],
  ["a choice that can be met", ":is(.z,.b) p{color:red}", ":is(.z,.b) p{color:red}"],
  ["a choice that cannot", ":where(.y,.z){color:red}", ""],
  ["an escaped class", ".a\\:b{color:red}", ".a\\:b{color:red}"],
  [
    "a rule within others",
    "@layer x{@media print{.a{color:red}.z{color:red}}}",
    "@layer x{@media print{.a{color:red}}}",
  ],
  ["others left empty", "@media print{.z{color:red}}", ""],
  [
    "an animation in use",
    ".a{animation:turn 1s}@keyframes turn{to{rotate:1turn}}",
    ".a{animation:turn 1s}@keyframes turn{to{rotate:1turn}}",
  ],
  ["an animation of nobody's", "@keyframes turn{to{rotate:1turn}}", ""],
])("keeps or drops %s", (_, css, expected) => {
  expect(used(css, '<p class="a b"></p><i class="a:b"></i>')).toBe(expected);
});

test("keeps those of Mantine's variables that something leads to, and all of ours", () => {
  const css =
    ":root{--mantine-one:var(--mantine-two);--mantine-two:2;--mantine-three:3;--mantine-four:4;--assay-five:5}.a{order:var(--mantine-one)}";
  expect(used(css, '<p class="a" style="order:var(--mantine-four)">')).toBe(
    ":root{--mantine-one:var(--mantine-two);--mantine-two:2;--mantine-four:4;--assay-five:5}.a{order:var(--mantine-one)}",
  );
});
