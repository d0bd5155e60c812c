import { formatGhs } from "#core/mining/hashrate-words.ts";
import { formatAmount, formatUsd, formatUsdMicros } from "#core/money.ts";
import { formatPrice } from "#core/price.ts";
import { terms } from "#core/terms.ts";
import { ink, openPdf } from "../platform/pdf/open-pdf.ts";
import {
  drawableName,
  type PdfRow,
  utcWords,
  writeHead,
  writeSection,
} from "../platform/pdf/pdf-parts.ts";
import type { Contract } from "./find-contract.ts";
import type { MaintenanceChange } from "./maintenance/list-maintenance.ts";

interface Parties {
  siteName: string;
  appUrl: string;
  /** Who stands behind the site, as the operator has entered it; null: nobody is named. */
  operator: string | null;
  customer: { firstName: string; lastName: string; email: string };
}

/**
 * A contract on paper: what was bought under which plan, its parts, and the terms with their hash. Made on request and
 * the same byte for byte whenever it is asked for, so that two copies can be compared: it holds nothing that changes later.
 */
export function writeContractPdf(
  contract: Contract,
  announced: readonly MaintenanceChange[],
  parties: Parties,
): Promise<Buffer> {
  const { siteName, appUrl, operator, customer } = parties;
  const { doc, finish } = openPdf({
    title: `Contract ${contract.contractId}`,
    author: siteName,
    at: contract.boughtAt,
  });
  const words = `${contract.quantity} × ${contract.planName}`;
  writeHead(doc, { siteName, title: "Mining contract", words });
  writeSection(doc, "Parties", [
    ["Operator", operator ?? `the operator of ${appUrl}`],
    ["Customer", drawableName(customer)],
    ["Account's number", contract.customerId],
    ["Contract's number", contract.contractId],
  ]);
  writeSection(doc, "What was bought", [
    ["Plan", `${contract.planName}, version ${contract.planVersion}`],
    [
      "Hashrate",
      `${contract.quantity} × ${formatGhs(contract.unitGhs)} = ${formatGhs(contract.ghs)}`,
    ],
    ["Term", `${contract.termDays} UTC days, longer by what is not delivered`],
    ["First day", `${contract.startsOn}, 00:00 UTC`],
    ["Planned last day", contract.plannedLastDay],
  ]);
  writeSection(doc, "Price", priceRows(contract));
  writeSection(doc, "Maintenance", maintenanceRows(contract, announced));
  writeSection(doc, "Terms", [
    ["Accepted", `version ${contract.termsVersion}, at ${utcWords(contract.boughtAt)}`],
    ["SHA-256", contract.termsSha256],
    ["To be read at", `${appUrl}/terms/terms-${contract.termsVersion}.txt`],
  ]);
  doc.moveDown(1.5).font("sans").fontSize(9).fillColor(ink.muted);
  doc.text(
    "A contract can end with a loss: its credits can be worth less than its price and fees. We promise no yield. Its receipts show what each day brought, and why.",
    doc.page.margins.left,
  );
  return finish();
}

function priceRows(contract: Contract): PdfRow[] {
  return [
    [
      "In all",
      `${formatUsd(contract.usdCents)} = ${contract.quantity} × ${formatUsd(contract.priceUsdCents)}`,
    ],
    [
      "Of one unit",
      `${formatUsd(contract.machinesUsdCents)} machines, ${formatUsd(contract.setupUsdCents)} setup, ${formatUsd(contract.marginUsdCents)} margin`,
    ],
    [
      "Paid",
      `${formatAmount(contract.units, contract.coin)} ${contract.coin}, rounded up to the smallest unit`,
    ],
    [
      "At",
      `${formatPrice(contract.priceUsdE8)} for one ${contract.coin}, as exchanges agreed at ${utcWords(contract.priceObservedAt)}${contract.simulated ? " (simulated)" : ""}`,
    ],
    ["Bought", utcWords(contract.boughtAt)],
    ["Transfer in the ledger", contract.transferId],
  ];
}

function maintenanceRows(contract: Contract, announced: readonly MaintenanceChange[]): PdfRow[] {
  return [
    [
      "Of one TH/s and day",
      `${formatUsdMicros(contract.maintenanceUsdMicros, 6)}, taken daily in bitcoin at the day's price`,
    ],
    [
      "Made of",
      `${formatUsdMicros(contract.energyUsdMicros, 6)} electricity, ${formatUsdMicros(contract.operationUsdMicros, 6)} premises, cooling and care, ${formatUsdMicros(contract.maintenanceMarginUsdMicros, 6)} margin`,
    ],
    ...announced
      .filter(({ announcedAt }) => announcedAt <= contract.boughtAt)
      .map(
        ({ effectiveFrom, usdMicros, reason }): PdfRow => [
          `From ${effectiveFrom}`,
          `${formatUsdMicros(usdMicros, 6)}: ${reason}`,
        ],
      ),
    ["A change", `is announced at least ${terms.maintenanceChangeNoticeDays} days ahead`],
    [
      "Unpaid",
      `for ${terms.terminationClauseHours} hours: the contract is cancelled; ${contract.termination === "refund-unserved" ? "the price of days not served is paid back" : "nothing of the price is paid back"}`,
    ],
    [
      "Giving back",
      contract.coolingOffUntil
        ? `in full until ${utcWords(contract.coolingOffUntil)}`
        : "not possible: only a first contract can be given back",
    ],
  ];
}
