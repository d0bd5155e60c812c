import { expect, test } from "vitest";
import { approvalEndsAt, isBirthday, isOfAge, neededDocuments } from "./kyc.ts";

const now = new Date("2026-03-01T12:00:00Z");

test.each([
  ["2008-03-01", true],
  ["2008-03-02", false],
  ["2008-02-29", true],
  ["1950-01-01", true],
])("born on %s is 18 on 1 March 2026: %s", (day, expected) => {
  expect(isOfAge(day, 18, now)).toBe(expected);
});

test("who is born on 29 February is of age on 1 March", () => {
  expect(isOfAge("2008-02-29", 18, new Date("2026-02-28T23:59:59Z"))).toBe(false);
  expect(isOfAge("2008-02-29", 18, new Date("2026-03-01T00:00:00Z"))).toBe(true);
});

test.each(["1990-02-30", "2026-03-02", "1890-01-01", "0000-00-00", "x"])(
  "nobody was born on %s",
  (day) => {
    expect(isBirthday(day, now)).toBe(false);
  },
);

test("a passport has no back, a card has one", () => {
  expect(neededDocuments("passport", "selfie")).toEqual(["identity-front", "selfie"]);
  expect(neededDocuments("identity-card", "proof-of-address")).toEqual([
    "identity-front",
    "identity-back",
    "proof-of-address",
  ]);
});

test("an approval holds through the document's last day, and at most five years", () => {
  expect(approvalEndsAt("2027-01-31", now)).toEqual(new Date("2027-02-01T00:00:00Z"));
  expect(approvalEndsAt("2040-01-31", now)).toEqual(new Date("2031-03-01T12:00:00Z"));
  expect(approvalEndsAt(null, now)).toEqual(new Date("2031-03-01T12:00:00Z"));
});
