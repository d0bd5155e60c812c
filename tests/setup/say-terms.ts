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

const { constants } = await import("../../core/terms.ts");
const { termWords } = await import("../../core/term-words.ts");
const { termsText } = await import("../../core/legal/terms-text.ts");
const { readConfig } = await import("../../server/platform/config/read-config.ts");
const { termsInForce } = await import("../../server/platform/database/terms-in-force.ts");
const { writeContractPdf } = await import("../../server/contracts/write-contract-pdf.ts");

const { paperContract, paperParties } = await import("../factories/paper-contract.ts");

const { withdrawals } = readConfig({ AUTH_SECRET: "x".repeat(40) });
process.stdout.write(
  JSON.stringify({
    text: JSON.stringify(termsText(termWords(constants))),
    formMinimum: String(withdrawals.coins.BTC.minimumUnits),
    paper: createHash("sha256")
      .update(await writeContractPdf(paperContract, [], paperParties))
      .digest("hex"),
    statements: termsInForce(constants),
  }),
);
