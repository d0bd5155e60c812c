import { expect, test } from "vitest";
import { type NameForm, nameInForm } from "./name-form.ts";

test.each<[NameForm, string]>([
  ["full", "Ada Lovelace"],
  ["first-and-initial", "Ada L."],
  ["first", "Ada"],
  ["initials", "A. L."],
])("a name in the form %s is %s", (form, name) => {
  expect(nameInForm({ firstName: "Ada", lastName: "Lovelace" }, form)).toBe(name);
});
