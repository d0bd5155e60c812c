import { expect, test } from "vitest";
import { errorStatus } from "./error-status.ts";

test("an answer keeps its status", () => {
  expect(errorStatus({ status: 404, data: null }, true)).toBe(404);
});

test("a fault inside the server counts as 500, a lost connection as none", () => {
  expect(errorStatus(new Error("Unexpected Server Error"), false)).toBe(500);
  expect(errorStatus(new TypeError("Failed to fetch"), false)).toBe(null);
  expect(errorStatus("thrown text", false)).toBe(null);
});
