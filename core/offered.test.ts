import { expect, test } from "vitest";
import { type Coin, coins } from "./asset.ts";
import { legalTexts } from "./legal/legal-texts.ts";
import { toPlainText } from "./legal/plain-text.ts";
import { offeredHere } from "./offered.ts";

test.each<[Coin[], string]>([
  [["BTC", "ETH", "USDT"], "Offered"],
  [["BTC", "ETH"], "Ether offered, USDT not offered here"],
  [["BTC", "USDT"], "USDT offered, Ether not offered here"],
  [["BTC"], "Not offered here"],
])("where %j can be withdrawn, withdrawals of Ether and USDT are: %s", (withdrawn, today) => {
  const row = offeredHere(coins, withdrawn).find(
    ({ part }) => part === "Withdrawals of Ether and USDT",
  );
  expect(row?.today).toBe(today);
});

test("a site for bitcoin alone names no other coin", () => {
  const parts = offeredHere(["BTC"], ["BTC"]).map(({ part }) => part);
  expect(parts).toContain("Deposits of Bitcoin");
  expect(parts.join()).not.toMatch(/Ether|USDT/);
});

test("the terms promise no withdrawal of Ether and USDT that a site's configuration may not have", () => {
  const { terms, disclaimer } = legalTexts();
  for (const text of [terms, disclaimer].map((each) => toPlainText(each)))
    expect(text).not.toMatch(/Bitcoin, Ether and USDT can be withdrawn/);
  expect(toPlainText(terms)).toContain("Differs by site: see Services");
});
