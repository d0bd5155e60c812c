import { expect, test } from "vitest";
import { amountError, depositFormSchema } from "./deposit-form-schema.ts";

test.each(["1", "$0.01", "1250.5", "$ 1,250.50", " 100000000 ", "0.10"])(
  "%j is an amount",
  (text) => {
    expect(amountError(text)).toBeNull();
  },
);

test.each([
  ["0", "more than $0.00"],
  ["$0.00", "more than $0.00"],
  ["-5", "negative"],
  ["−5", "negative"],
  ["$-5", "negative"],
  ["(5)", "negative"],
  ["1.005", "two decimals"],
  ["$1,250.999", "two decimals"],
  ["1.250,50", "dollars and cents"],
  ["1,25", "dollars and cents"],
  ["five", "dollars and cents"],
  ["1e3", "dollars and cents"],
  ["0x10", "dollars and cents"],
  ["NaN", "dollars and cents"],
  ["Infinity", "dollars and cents"],
  ["1 000", "dollars and cents"],
  ["", "dollars and cents"],
  ["100000000.01", "more than $100,000,000.00"],
  ["9".repeat(18), "more than $100,000,000.00"],
  ["9".repeat(400), "more than $100,000,000.00"],
])("%j is refused: %s", (text, words) => {
  expect(amountError(text)).toContain(words);
});

test("everything that is missing is said at once", () => {
  const { error } = depositFormSchema.safeParse({ submissionKey: crypto.randomUUID() });
  expect(error?.issues.map(({ path, message }) => [path.join(), message])).toEqual([
    ["amount", "Please enter the amount of your deposit"],
    ["method", "Please choose a method"],
    ["slip", "Please choose your payment slip"],
  ]);
});
