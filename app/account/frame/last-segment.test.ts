import { expect, test } from "vitest";
import { lastSegment } from "./last-segment.ts";

test.each([
  ["/account", "account"],
  ["/account/", "account"],
  ["/account/deposit", "deposit"],
  ["/account/deposit/0199-ab", "0199-ab"],
  ["/account/mining/01a2034f-834b-7b39-8dd1-bd904c32e5d0", "mining"],
  ["/account/mining/01a2034f-834b-7b39-8dd1-bd904c32e5d0/2026-03-01", "2026-03-01"],
  ["/account/security/recovery-codes", "recovery codes"],
  ["/account/caf%C3%A9", "café"],
  ["/account/%", "%"],
  ["/", ""],
])("%s ends in %j", (path, last) => {
  expect(lastSegment(path)).toBe(last);
});
