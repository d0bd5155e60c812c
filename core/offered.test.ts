import { expect, test } from "vitest";
import type { Coin } from "./asset.ts";
import { offeredHere } from "./offered.ts";

test.each<[Coin[], string]>([
  [["BTC", "ETH", "USDT"], "Offered"],
  [["BTC", "ETH"], "Ether offered, USDT not offered here"],
  [["BTC"], "Not offered here"],
])("where %j can be withdrawn, withdrawals of Ether and USDT are: %s", (coins, today) => {
  const row = offeredHere(coins).find(({ part }) => part === "Withdrawals of Ether and USDT");
  expect(row?.today).toBe(today);
});
