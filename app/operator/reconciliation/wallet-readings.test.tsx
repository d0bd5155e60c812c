import { expect, test } from "vitest";
import type { WalletReading } from "#server/reconciliation/list-wallet-readings.ts";
import { readingToCount } from "./wallet-readings.tsx";

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 24, 10, minutes));
const reading = (walletId: string, units: bigint, readAt: Date): WalletReading => ({
  walletId,
  asset: "BTC",
  descriptor: `wpkh(${walletId})`,
  units,
  outputs: 1,
  blockHeight: 812,
  readAt,
  custodyUnits: 30n,
});

test("wallets that were read one after the other are one figure, of the moment of the last", () => {
  const readings = [reading("a", 10n, at(1)), reading("b", 20n, at(9))];
  expect(readingToCount(readings)).toMatchObject({ units: 30n, custodyUnits: 30n, readAt: at(9) });
});

test("what was read at another time is not added up: it may have moved into the wallet that was read later", () => {
  expect(readingToCount([reading("a", 10n, at(0)), reading("b", 10n, at(61))])).toBeNull();
  expect(readingToCount([])).toBeNull();
});
