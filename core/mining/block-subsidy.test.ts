import { expect, test } from "vitest";
import { blockSubsidySats } from "./block-subsidy.ts";

test.each([
  [0, 5_000_000_000n],
  [209_999, 5_000_000_000n],
  [210_000, 2_500_000_000n],
  [839_999, 625_000_000n],
  [840_000, 312_500_000n],
  [1_050_000, 156_250_000n],
  [32 * 210_000, 1n],
  [33 * 210_000, 0n],
  [2_147_483_647, 0n],
])("block %i creates %i satoshi", (height, sats) => {
  expect(blockSubsidySats(height)).toBe(sats);
});
