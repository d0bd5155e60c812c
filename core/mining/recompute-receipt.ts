import { formatAmount, formatUsdMicros } from "../money.ts";
import { formatPrice } from "../price.ts";
import { creditSats, servedPpm, sharedGhs } from "./credit.ts";
import type { DayFigures } from "./day-figures.ts";
import { maintenanceSats } from "./maintenance.ts";
import { referenceSats } from "./reference.ts";

/** The figures of a receipt that everything else on it follows from, and what it states. */
export interface ReceiptFigures extends DayFigures {
  ghs: bigint;
  creditSats: bigint;
  feeSats: bigint;
  /** Of one TH/s for one day. */
  maintenanceUsdMicros: bigint;
  btcUsdE8: bigint;
  reference: {
    difficulty: bigint;
    subsidySats: bigint;
    feesPerBlockSats: bigint;
    sats: bigint;
  } | null;
  /** What each pool paid, and the hashrate that it saw. */
  evidence: readonly (PaidByPool & { deliveredGhs: bigint })[];
  corrections: ReadonlyArray<{
    evidence: PaidByPool;
    payoutSats: bigint;
    distributableSats: bigint;
    sharedGhs: bigint;
    creditSats: bigint;
    changeSats: bigint;
  }>;
}

/** What a pool paid, in satoshi, and the coins that cover it; null: none do. */
interface PaidByPool {
  pool: string;
  units: bigint;
  coins: readonly { units: bigint }[] | null;
}

/** What a day's credit is by now: what its last correction made of it. */
export function creditByNow({
  creditSats,
  corrections,
}: Pick<ReceiptFigures, "creditSats" | "corrections">): bigint {
  return corrections.at(-1)?.creditSats ?? creditSats;
}

/** One step of the arithmetic: how it goes with this receipt's figures, what comes out, and what the receipt says. */
export interface Step {
  name: string;
  formula: string;
  computed: string;
  stated: string;
  agrees: boolean;
}

/**
 * Works a receipt out again from its evidence, step by step, with the functions that the daily run's results are tested
 * against. It believes no result of the receipt: each step takes what the one before computed.
 */
export function recomputeReceipt(receipt: ReceiptFigures): Step[] {
  const { evidence, reference } = receipt;
  const paid = evidence.reduce((sum, { units }) => sum + units, 0n);
  const delivered = evidence.reduce((sum, each) => sum + each.deliveredGhs, 0n);
  const distributable = paid + receipt.carriedSats;
  const shared = sharedGhs(delivered, receipt.activeGhs);
  const credit = creditSats(distributable, receipt.ghs, shared);
  return [
    step(
      "What the pools paid",
      evidence.map(({ units }) => plain(units)).join(" + ") || "nothing",
      [paid, receipt.payoutSats],
      sats,
    ),
    ...coinSteps(receipt),
    step(
      "With the remainder of the day before",
      `${plain(paid)} + ${plain(receipt.carriedSats)}`,
      [distributable, receipt.distributableSats],
      sats,
    ),
    step(
      "Delivered hashrate",
      evidence.map((each) => plain(each.deliveredGhs)).join(" + ") || "nothing",
      [delivered, receipt.deliveredGhs],
      ghsWords,
    ),
    step(
      "Shared by the larger of what was delivered and what was sold",
      `max(${plain(delivered)}, ${plain(receipt.activeGhs)})`,
      [shared, receipt.sharedGhs],
      ghsWords,
    ),
    step(
      "This contract's credit, rounded down",
      `${plain(distributable)} × ${plain(receipt.ghs)} ÷ ${plain(shared)}`,
      [credit, receipt.creditSats],
      sats,
    ),
    step(
      "How much of the day was served",
      `${plain(delivered)} ÷ ${plain(receipt.activeGhs)}, at most 1`,
      [servedPpm(delivered, receipt.activeGhs), receipt.servedPpm],
      percent,
    ),
    feeStep(receipt),
    ...(reference ? [referenceStep(receipt.ghs, reference)] : []),
    ...correctionSteps(receipt, credit),
  ];
}

/** One coin may be for several days, so coins may be more than what was paid for one. */
function coinSteps({ evidence, corrections }: ReceiptFigures): Step[] {
  const paid = [...evidence, ...corrections.map((correction) => correction.evidence)];
  return paid.flatMap(({ pool, units, coins }) => {
    if (!coins) return [];
    const seen = coins.reduce((sum, coin) => sum + coin.units, 0n);
    const formula = coins.map((coin) => plain(coin.units)).join(" + ");
    const coinStep = step(`Coins of ${pool}, at least what it paid`, formula, [seen, units], sats);
    return [{ ...coinStep, agrees: seen >= units }];
  });
}

function feeStep({ ghs, maintenanceUsdMicros, btcUsdE8, feeSats }: ReceiptFigures): Step {
  return step(
    "Maintenance, rounded down",
    `${plain(ghs)} GH/s × ${formatUsdMicros(maintenanceUsdMicros, 6)} per TH/s ÷ ${formatPrice(btcUsdE8)}`,
    [maintenanceSats(ghs, maintenanceUsdMicros, btcUsdE8), feeSats],
    sats,
  );
}

function referenceStep(ghs: bigint, of: NonNullable<ReceiptFigures["reference"]>): Step {
  const { difficulty, subsidySats, feesPerBlockSats } = of;
  return step(
    "Reference: what the network would have paid",
    `${plain(ghs)} × 10⁹ × 86,400 × ${plain(subsidySats + feesPerBlockSats)} ÷ (${plain(difficulty)} × 2³²)`,
    [referenceSats(ghs, difficulty, subsidySats, feesPerBlockSats), of.sats],
    sats,
  );
}

/** Each correction is worked out from its own figures, and its change from what stood before it. */
function correctionSteps({ ghs, corrections }: ReceiptFigures, credit: bigint): Step[] {
  let before = credit;
  return corrections.flatMap((correction, index) => {
    const { distributableSats, sharedGhs: shared } = correction;
    const corrected = creditSats(distributableSats, ghs, shared);
    const which = corrections.length === 1 ? "" : ` ${index + 1}`;
    const steps = [
      step(
        `Credit after correction${which}`,
        `${plain(distributableSats)} × ${plain(ghs)} ÷ ${plain(shared)}`,
        [corrected, correction.creditSats],
        sats,
      ),
      step(
        `What correction${which} changed`,
        `${plain(corrected)} − ${plain(before)}`,
        [corrected - before, correction.changeSats],
        sats,
      ),
    ];
    before = corrected;
    return steps;
  });
}

function step(
  name: string,
  formula: string,
  [computed, stated]: [bigint, bigint],
  show: (amount: bigint) => string,
): Step {
  const agrees = computed === stated;
  return { name, formula, computed: show(computed), stated: show(stated), agrees };
}

function sats(amount: bigint): string {
  return `${formatAmount(amount, "BTC")} BTC`;
}

function ghsWords(amount: bigint): string {
  return `${plain(amount)} GH/s`;
}

function plain(amount: bigint): string {
  return amount.toLocaleString("en-US");
}

function percent(ppm: bigint): string {
  const digits = ppm.toString().padStart(5, "0");
  return `${digits.slice(0, -4)}.${digits.slice(-4)}%`;
}

/** Figures as they travel to a script of a plain page: every bigint as a decimal string. */
export function writeFigures(receipt: ReceiptFigures): string {
  const { reference, evidence, corrections } = receipt;
  const { ghs, creditSats, feeSats, maintenanceUsdMicros, payoutSats, carriedSats } = receipt;
  const { distributableSats, deliveredGhs, activeGhs, sharedGhs, servedPpm, btcUsdE8 } = receipt;
  const figures: ReceiptFigures = {
    ghs,
    creditSats,
    feeSats,
    maintenanceUsdMicros,
    payoutSats,
    carriedSats,
    distributableSats,
    deliveredGhs,
    activeGhs,
    sharedGhs,
    servedPpm,
    btcUsdE8,
    reference: reference && {
      difficulty: reference.difficulty,
      subsidySats: reference.subsidySats,
      feesPerBlockSats: reference.feesPerBlockSats,
      sats: reference.sats,
    },
    evidence: evidence.map((each) => ({
      ...paidByPool(each),
      deliveredGhs: each.deliveredGhs,
    })),
    corrections: corrections.map((each) => ({
      evidence: paidByPool(each.evidence),
      payoutSats: each.payoutSats,
      distributableSats: each.distributableSats,
      sharedGhs: each.sharedGhs,
      creditSats: each.creditSats,
      changeSats: each.changeSats,
    })),
  };
  return JSON.stringify(figures, (_name, value) =>
    typeof value === "bigint" ? `${value}` : value,
  );
}

function paidByPool({ pool, units, coins }: PaidByPool): PaidByPool {
  return { pool, units, coins: coins?.map((coin) => ({ units: coin.units })) ?? null };
}

export function readFigures(text: string): ReceiptFigures {
  return JSON.parse(text, (name, value) =>
    typeof value === "string" && name !== "pool" ? BigInt(value) : value,
  );
}
