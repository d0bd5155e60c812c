import { expect, test } from "vitest";
import type { OpenContracts } from "#server/mining/contracts/list-open-contracts.ts";
import type { EarnedDay } from "#server/mining/days/list-newest-days.ts";
import { deriveMining } from "./derive-mining.ts";

const today = "2026-12-01";
const contract = (wanted: Partial<OpenContracts>): OpenContracts => ({
  customerId: "ada",
  planName: "Steady",
  quantity: 2,
  contracts: 1,
  contractId: "c",
  ghs: 10_000n,
  startsOn: "2026-11-20",
  lastDay: "2026-12-19",
  maintenanceUsdMicros: 30_000n,
  ...wanted,
});
const earned = (day: string, minedSats: bigint, feeSats = 0n, ghs = 10_000n): EarnedDay => ({
  day,
  ghs,
  minedSats,
  feeSats,
  btcUsdE8: 10_000_000_000_000n,
});
const derive = (known: Partial<Parameters<typeof deriveMining>[0]>) =>
  deriveMining({
    days: [],
    open: [],
    availableSats: 0n,
    btcUsdE8: 10_000_000_000_000n,
    today,
    ...known,
  });

test("there is nothing to say of who has no contract and had none", () => {
  expect(derive({})).toBeNull();
});

test("a contract that begins today runs, and is credited once today is over", () => {
  expect(derive({ open: [contract({ startsOn: today, lastDay: today })] })).toMatchObject({
    newest: null,
    active: { ghs: 10_000n, contracts: 1 },
    waiting: 0,
    month: { name: "Dec 2026", minedSats: 0n, feeSats: 0n, netUsdMicros: 0n },
    next: [
      { kind: "credit", day: today, isOver: false },
      { kind: "end", day: today },
    ],
  });
});

test("one that begins tomorrow waits, and no day of it is to be credited", () => {
  const mining = derive({ open: [contract({ startsOn: "2026-12-02" })] });
  expect(mining).toMatchObject({ active: { ghs: 0n, contracts: 0 }, waiting: 1 });
  expect(mining?.next).toMatchObject([{ kind: "start", day: "2026-12-02" }]);
  expect(mining?.runway).toMatchObject({ days: 0 });
});

test("what should have ended yesterday waits for its last day to be credited, and does not end once more", () => {
  const days = [earned("2026-11-29", 5_000n)];
  const mining = derive({ days, open: [contract({ lastDay: "2026-11-30" })] });
  expect(mining?.next).toEqual([{ kind: "credit", day: "2026-11-30", isOver: true }]);
});

test("on the first of a month its figures begin with nothing, while the newest day is of the month before", () => {
  const days = [earned("2026-11-30", 5_000n, 6_000n), earned("2026-11-29", 4_000n, 100n)];
  expect(derive({ days, open: [contract({})] })).toMatchObject({
    newest: { day: "2026-11-30", minedSats: 5_000n, feeSats: 6_000n, netUsdMicros: -1_000_000n },
    month: { minedSats: 0n, feeSats: 0n },
    days: ["2026-11-29", "2026-11-30"],
    netSats: [3_900n, -1_000n],
  });
});

test("a day without hashrate divides by nothing, and amounts beyond what a float holds stay exact", () => {
  const huge = 2n ** 60n + 1n;
  const days = [earned("2026-11-30", 0n, 0n, 0n)];
  expect(derive({ days, open: [contract({})], availableSats: huge })?.runway).toMatchObject({
    days: null,
    missingSats: 0n,
  });
  const rich = derive({ days: [earned("2026-11-30", huge, 1n)], open: [contract({})] });
  expect(rich?.newest?.netUsdMicros).toBe((huge - 1n) * 1_000n);
});

test("without any price there is no runway", () => {
  expect(derive({ open: [contract({})], btcUsdE8: null })?.runway).toBeNull();
});
