import { expect, test } from "vitest";
import {
  type ReceiptFigures,
  readFigures,
  recomputeReceipt,
  writeFigures,
} from "./recompute-receipt.ts";

/** 2 TH/s of 30 sold; two pools paid 1,000,000 satoshi for 28 TH/s delivered; 7 were left from the day before. */
const receipt: ReceiptFigures = {
  ghs: 2_000n,
  payoutSats: 1_000_000n,
  carriedSats: 7n,
  distributableSats: 1_000_007n,
  deliveredGhs: 28_000n,
  activeGhs: 30_000n,
  sharedGhs: 30_000n,
  servedPpm: 933_333n,
  creditSats: 66_667n,
  maintenanceUsdMicros: 40_000n,
  btcUsdE8: 10_000_000_000_000n,
  feeSats: 80n,
  reference: {
    difficulty: 150_000_000_000_000n,
    subsidySats: 312_500_000n,
    feesPerBlockSats: 0n,
    sats: 84n,
  },
  evidence: [
    {
      pool: "One",
      units: 600_000n,
      deliveredGhs: 20_000n,
      coins: [{ units: 550_000n }, { units: 200_000n }],
    },
    { pool: "2", units: 400_000n, deliveredGhs: 8_000n, coins: null },
  ],
  corrections: [],
};

test("a receipt that is right agrees in every step", () => {
  const steps = recomputeReceipt(receipt);
  expect(steps.filter(({ agrees }) => !agrees)).toEqual([]);
  expect(steps.map(({ computed }) => computed)).toEqual([
    "0.01000000 BTC",
    "0.00750000 BTC",
    "0.01000007 BTC",
    "28,000 GH/s",
    "30,000 GH/s",
    "0.00066667 BTC",
    "93.3333%",
    "0.00000080 BTC",
    "0.00000084 BTC",
  ]);
  expect(steps[5]?.formula).toBe("1,000,007 × 2,000 ÷ 30,000");
});

test.each([
  ["the credit", { creditSats: 66_668n }, "This contract's credit, rounded down"],
  ["what the pools paid", { payoutSats: 1_000_001n }, "What the pools paid"],
  ["the fee", { feeSats: 81n }, "Maintenance, rounded down"],
  [
    "the shared hashrate",
    { sharedGhs: 31_000n },
    "Shared by the larger of what was delivered and what was sold",
  ],
])(
  "a receipt that is a satoshi off in %s is caught there, and only there",
  (_what, wrong, where) => {
    const steps = recomputeReceipt({ ...receipt, ...wrong });
    expect(steps.filter(({ agrees }) => !agrees).map(({ name }) => name)).toEqual([where]);
  },
);

test("a correction is worked out from its own figures, each from the one before", () => {
  const corrections = [
    {
      evidence: { pool: "One", units: 500_000n, coins: null },
      payoutSats: 900_000n,
      distributableSats: 900_007n,
      sharedGhs: 30_000n,
      creditSats: 60_000n,
      changeSats: -6_667n,
    },
    {
      evidence: { pool: "One", units: 550_000n, coins: [{ units: 549_999n }] },
      payoutSats: 950_000n,
      distributableSats: 950_007n,
      sharedGhs: 30_000n,
      creditSats: 63_333n,
      changeSats: 3_333n,
    },
  ];
  const steps = recomputeReceipt({ ...receipt, corrections });
  // Its coins are a satoshi short.
  expect(steps.filter(({ agrees }) => !agrees)).toMatchObject([
    {
      name: "Coins of One, at least what it paid",
      computed: "0.00549999 BTC",
      stated: "0.00550000 BTC",
    },
  ]);
  expect(steps.at(-1)).toMatchObject({
    name: "What correction 2 changed",
    computed: "0.00003333 BTC",
  });
});

test("figures travel to a script exactly", () => {
  expect(readFigures(writeFigures(receipt))).toEqual(receipt);
  expect(readFigures(writeFigures({ ...receipt, reference: null })).reference).toBeNull();
});
