import { expect, test } from "vitest";
import { splitAmount } from "./split-amount.ts";

test.each([
  [0n, "BTC", "0", ".00000000"],
  [1n, "BTC", "0.00000001", ""],
  [70_000n, "BTC", "0.0007", "0000"],
  [-70_000n, "BTC", "-0.0007", "0000"],
  [100_000_000_000n, "BTC", "1,000", ".00000000"],
  [5_000_000_000_000_000_000n, "ETH", "5", ".00000000"],
  [5_100_000_000_000_000_000n, "ETH", "5.1", "0000000"],
  [1n, "ETH", "0.000000000000000001", ""],
  [10n, "ETH", "0.00000000000000001", ""],
  [2_500_000n, "USDT", "2.5", "00000"],
] as const)("%s of %s reads %s with %s muted", (units, asset, significant, zeros) => {
  expect(splitAmount(units, asset)).toEqual({ significant, zeros });
});
