import { createHash } from "node:crypto";
import { registerHooks } from "node:module";

// What the product says and does of its terms, printed as JSON: with other numbers, where OTHER_TERMS gives them
// (`{"minimumWithdrawalSats":"80_000n"}`). A process of its own: modules are read once.
const others = JSON.parse(process.env["OTHER_TERMS"] ?? "{}") as Record<string, string>;
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith("/core/terms.ts")) return loaded;
    let source = String(loaded.source);
    for (const [name, value] of Object.entries(others)) {
      source = source.replace(new RegExp(`\\b${name}: [^,]+,`), `${name}: ${value},`);
    }
    return { ...loaded, source };
  },
});

const { terms } = await import("../../core/terms.ts");
const { constants } = await import("../../core/terms.ts");
const { termWords } = await import("../../core/term-words.ts");
const { termsText } = await import("../../core/legal/terms-text.ts");
const { readConfig } = await import("../../server/platform/config.ts");
const { termsInForce } = await import("../../server/platform/terms-in-force.ts");
const { writeContractPdf } = await import("../../server/contracts/write-contract-pdf.ts");

const at = new Date("2026-11-20T12:00:00Z");
const contract = {
  ...{ contractId: "01a2004e-3438-7520-8c1b-1e00d90e6d31", planName: "Thirty days" },
  ...{ customerId: "01a2004e-3438-7520-8c1b-1e00d90e6d32", planVersion: 2, unitGhs: 1_000n },
  ...{ quantity: 3, ghs: 3_000n, termDays: 30, usdCents: 4_500n, coin: "BTC", units: 64_286n },
  ...{ transferId: "01a2004e-3438-7520-8c1b-1e00d90e6d33", termsVersion: "2.0" },
  ...{ termsSha256: "ab".repeat(32), boughtAt: at, coolingOffUntil: at, startsOn: "2026-11-22" },
  ...{ plannedLastDay: "2026-12-21", lastDay: null, endReason: null, endedAt: null },
  ...{ machinesUsdCents: 1_000n, setupUsdCents: 300n, marginUsdCents: 200n, priceUsdCents: 1_500n },
  ...{ maintenanceUsdMicros: 40_000n, energyUsdMicros: 30_000n, operationUsdMicros: 8_000n },
  ...{ maintenanceMarginUsdMicros: 2_000n, termination: "forfeit", priceUsdE8: 7_000_000_000_001n },
  ...{ priceObservedAt: at, simulated: false },
} as unknown as Parameters<typeof writeContractPdf>[0];
const parties = {
  ...{ siteName: "Assay", appUrl: "http://127.0.0.1:3000", operator: null },
  customer: { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com" },
};
const { withdrawals } = readConfig({ AUTH_SECRET: "x".repeat(40) });
process.stdout.write(
  JSON.stringify({
    text: JSON.stringify(termsText(termWords(constants))),
    formMinimum: String(withdrawals.coins.BTC.minimumUnits),
    paper: createHash("sha256")
      .update(await writeContractPdf(contract, [], parties))
      .digest("hex"),
    statements: termsInForce({ terms }),
  }),
);
