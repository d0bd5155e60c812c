import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Contract } from "./queries.ts";
import { writeContractPdf } from "./write-contract-pdf.ts";

const at = new Date("2026-11-20T12:00:00Z");
const contract = {
  contractId: "01a2004e-3438-7520-8c1b-1e00d90e6d31",
  customerId: "01a2004e-3438-7520-8c1b-1e00d90e6d32",
  planName: "Thirty days",
  planVersion: 2,
  unitGhs: 1_000n,
  quantity: 3,
  ghs: 3_000n,
  termDays: 30,
  usdCents: 4_500n,
  coin: "BTC",
  units: 64_286n,
  transferId: "01a2004e-3438-7520-8c1b-1e00d90e6d33",
  termsVersion: "2.0",
  termsSha256: "ab".repeat(32),
  boughtAt: at,
  coolingOffUntil: new Date("2026-11-21T12:00:00Z"),
  startsOn: "2026-11-22",
  plannedLastDay: "2026-12-21",
  lastDay: null,
  endReason: null,
  endedAt: null,
  machinesUsdCents: 1_000n,
  setupUsdCents: 300n,
  marginUsdCents: 200n,
  priceUsdCents: 1_500n,
  maintenanceUsdMicros: 40_000n,
  energyUsdMicros: 30_000n,
  operationUsdMicros: 8_000n,
  maintenanceMarginUsdMicros: 2_000n,
  termination: "forfeit",
  priceUsdE8: 7_000_000_000_001n,
  priceObservedAt: at,
  simulated: false,
} as unknown as Contract;
const parties = {
  siteName: "Assay",
  appUrl: "http://127.0.0.1:3000",
  operator: null,
  customer: { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com" },
};
const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

test("a contract on paper is the same byte for byte whenever it is asked for, also after it has ended", async () => {
  const first = await writeContractPdf(contract, [], parties);
  expect(first.subarray(0, 5).toString()).toBe("%PDF-");
  const ended = {
    ...contract,
    lastDay: "2026-12-21",
    endReason: "served",
    endedAt: at,
  } as Contract;
  const later = [
    {
      effectiveFrom: "2026-12-10",
      usdMicros: 50_000n,
      reason: "Power",
      announcedAt: new Date("2026-12-01T00:00:00Z"),
    },
  ];
  expect(hash(await writeContractPdf(ended, later, parties))).toBe(hash(first));
});

test("another contract is another paper, and a name in letters that the fonts lack does not break it", async () => {
  const first = await writeContractPdf(contract, [], parties);
  const other = await writeContractPdf({ ...contract, quantity: 4 }, [], parties);
  expect(hash(other)).not.toBe(hash(first));
  const customer = { firstName: "李", lastName: "小龙", email: "lee@example.com" };
  const long = { ...contract, planName: "A plan with a name of words ".repeat(3).trim() };
  const paper = await writeContractPdf(long, [], { ...parties, customer });
  expect(paper.length).toBeGreaterThan(5_000);
});
