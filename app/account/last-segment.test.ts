import { expect, test } from "vitest";
import { lastSegment } from "./last-segment.ts";

test.each([
  ["/account", "account"],
  ["/account/", "account"],
  ["/account/deposit", "deposit"],
  ["/account/deposit/0199-ab", "0199-ab"],
  ["/account/security/recovery-codes", "recovery codes"],
  ["/account/caf%C3%A9", "café"],
  ["/account/%", "%"],
  ["/", ""],
])("%s ends in %j", (path, last) => {
  expect(lastSegment(path)).toBe(last);
});
