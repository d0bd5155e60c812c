import { formatAmount, formatUsdMicros } from "../money.ts";
import { formatPrice } from "../price.ts";
import { creditSats, servedPpm, sharedGhs } from "./credit.ts";
import { maintenanceSats } from "./maintenance.ts";
import { referenceSats } from "./reference.ts";

/** The figures of a receipt that everything else on it follows from, and what it states. */
export interface ReceiptFigures {
  ghs: bigint;
  creditSats: bigint;
  feeSats: bigint;
  /** Of one TH/s for one day. */
  maintenanceUsdMicros: bigint;
  payoutSats: bigint;
  carriedSats: bigint;
  distributableSats: bigint;
  deliveredGhs: bigint;
  activeGhs: bigint;
  sharedGhs: bigint;
  servedPpm: bigint;
  btcUsdE8: bigint;
  reference: {
    difficulty: bigint;
    subsidySats: bigint;
    feesPerBlockSats: bigint;
    sats: bigint;
  } | null;
  /** What each pool paid, in satoshi, and the hashrate that it saw. */
  evidence: ReadonlyArray<{ pool: string; units: bigint; deliveredGhs: bigint }>;
  corrections: ReadonlyArray<{
    payoutSats: bigint;
    distributableSats: bigint;
    sharedGhs: bigint;
    creditSats: bigint;
    changeSats: bigint;
  }>;
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
  const sats = (amount: bigint) => `${formatAmount(amount, "BTC")} BTC`;
  const ghs = (amount: bigint) => `${plain(amount)} GH/s`;
  const paid = receipt.evidence.reduce((sum, { units }) => sum + units, 0n);
  const delivered = receipt.evidence.reduce((sum, each) => sum + each.deliveredGhs, 0n);
  const distributable = paid + receipt.carriedSats;
  const shared = sharedGhs(delivered, receipt.activeGhs);
  const credit = creditSats(distributable, receipt.ghs, shared);
  const served = servedPpm(delivered, receipt.activeGhs);
  const fee = maintenanceSats(receipt.ghs, receipt.maintenanceUsdMicros, receipt.btcUsdE8);
  const step = (
    name: string,
    formula: string,
    [computed, stated]: [bigint, bigint],
    show: (amount: bigint) => string,
  ): Step => ({
    ...{ name, formula, computed: show(computed), stated: show(stated) },
    agrees: computed === stated,
  });
  const steps = [
    step(
      "What the pools paid",
      receipt.evidence.map(({ units }) => plain(units)).join(" + ") || "nothing",
      [paid, receipt.payoutSats],
      sats,
    ),
    step(
      "With the remainder of the day before",
      `${plain(paid)} + ${plain(receipt.carriedSats)}`,
      [distributable, receipt.distributableSats],
      sats,
    ),
    step(
      "Delivered hashrate",
      receipt.evidence.map((each) => plain(each.deliveredGhs)).join(" + ") || "nothing",
      [delivered, receipt.deliveredGhs],
      ghs,
    ),
    step(
      "Shared by the larger of what was delivered and what was sold",
      `max(${plain(delivered)}, ${plain(receipt.activeGhs)})`,
      [shared, receipt.sharedGhs],
      ghs,
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
      [served, receipt.servedPpm],
      percent,
    ),
    step(
      "Maintenance, rounded down",
      `${plain(receipt.ghs)} GH/s × ${formatUsdMicros(receipt.maintenanceUsdMicros, 6)} per TH/s ÷ ${formatPrice(receipt.btcUsdE8)}`,
      [fee, receipt.feeSats],
      sats,
    ),
  ];
  if (receipt.reference) {
    const { difficulty, subsidySats, feesPerBlockSats, sats: stated } = receipt.reference;
    steps.push(
      step(
        "Reference: what the network would have paid",
        `${plain(receipt.ghs)} × 10⁹ × 86,400 × ${plain(subsidySats + feesPerBlockSats)} ÷ (${plain(difficulty)} × 2³²)`,
        [referenceSats(receipt.ghs, difficulty, subsidySats, feesPerBlockSats), stated],
        sats,
      ),
    );
  }
  let before = credit;
  for (const [index, correction] of receipt.corrections.entries()) {
    const corrected = creditSats(correction.distributableSats, receipt.ghs, correction.sharedGhs);
    const which = receipt.corrections.length === 1 ? "" : ` ${index + 1}`;
    steps.push(
      step(
        `Credit after correction${which}`,
        `${plain(correction.distributableSats)} × ${plain(receipt.ghs)} ÷ ${plain(correction.sharedGhs)}`,
        [corrected, correction.creditSats],
        sats,
      ),
      step(
        `What correction${which} changed`,
        `${plain(corrected)} − ${plain(before)}`,
        [corrected - before, correction.changeSats],
        sats,
      ),
    );
    before = corrected;
  }
  return steps;
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
    ...{ ghs, creditSats, feeSats, maintenanceUsdMicros, payoutSats, carriedSats },
    ...{ distributableSats, deliveredGhs, activeGhs, sharedGhs, servedPpm, btcUsdE8 },
    reference: reference && {
      difficulty: reference.difficulty,
      subsidySats: reference.subsidySats,
      feesPerBlockSats: reference.feesPerBlockSats,
      sats: reference.sats,
    },
    evidence: evidence.map((each) => ({
      pool: each.pool,
      units: each.units,
      deliveredGhs: each.deliveredGhs,
    })),
    corrections: corrections.map((each) => ({
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

export function readFigures(text: string): ReceiptFigures {
  return JSON.parse(text, (name, value) =>
    typeof value === "string" && name !== "pool" ? BigInt(value) : value,
  );
}
