import { expect, test } from "vitest";
import { phoneProblem } from "./phone.ts";

test.each(["020 7946 0958", "+44 20 7946 0958", "(030) 901-820", "030/901820", "5"])(
  "%s may be a phone number",
  (text) => expect(phoneProblem(text)).toBeNull(),
);

test.each([
  ["-5", "A phone number can't start with a minus"],
  ["−5", "A phone number can't start with a minus"],
  ["12.5", "A phone number can't include a decimal point"],
  ["12,5", "A phone number can't include a decimal point"],
  ["five", "That doesn't look like a phone number"],
  ["+", "That doesn't look like a phone number"],
  ["1e5", "That doesn't look like a phone number"],
  ["++44", "That doesn't look like a phone number"],
  ["5".repeat(50), "That doesn't look like a phone number"],
])("%s is refused in the specification's words", (text, problem) => {
  expect(phoneProblem(text)).toBe(problem);
});
