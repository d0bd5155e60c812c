import { readFileSync } from "node:fs";
import path from "node:path";
import PDFDocument from "pdfkit";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { formatAmount, formatUsd, formatUsdMicros } from "#core/money.ts";
import { formatPrice } from "#core/price.ts";
import { terms } from "#core/terms.ts";
import type { Contract, MaintenanceChange } from "./queries.ts";

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
  const doc = new PDFDocument({
    size: "A4",
    margins: { top: 64, bottom: 64, left: 64, right: 64 },
    lang: "en",
    displayTitle: true,
    font: "",
    info: {
      Title: `Contract ${contract.contractId}`,
      Author: siteName,
      CreationDate: contract.boughtAt,
      ModDate: contract.boughtAt,
    },
  } as PDFKit.PDFDocumentOptions);
  const done = collect(doc);
  doc.registerFont("serif", fonts.serif());
  doc.registerFont("sans", fonts.sans());
  title(doc, siteName, `${contract.quantity} × ${contract.planName}`);
  section(doc, "Parties", [
    ["Operator", operator ?? `the operator of ${appUrl}`],
    ["Customer", namesOf(customer)],
    ["Account's number", contract.customerId],
    ["Contract's number", contract.contractId],
  ]);
  section(doc, "What was bought", [
    ["Plan", `${contract.planName}, version ${contract.planVersion}`],
    [
      "Hashrate",
      `${contract.quantity} × ${formatGhs(contract.unitGhs)} = ${formatGhs(contract.ghs)}`,
    ],
    ["Term", `${contract.termDays} UTC days, longer by what is not delivered`],
    ["First day", `${contract.startsOn}, 00:00 UTC`],
    ["Planned last day", contract.plannedLastDay],
  ]);
  section(doc, "Price", priceRows(contract));
  section(doc, "Maintenance", maintenanceRows(contract, announced));
  section(doc, "Terms", [
    ["Accepted", `version ${contract.termsVersion}, at ${utc(contract.boughtAt)}`],
    ["SHA-256", contract.termsSha256],
    ["To be read at", `${appUrl}/terms/terms-${contract.termsVersion}.txt`],
  ]);
  doc.moveDown(1.5).font("sans").fontSize(9).fillColor("#5B5F69");
  doc.text(
    "A contract can end with a loss: what it credits can be worth less than what it cost. No yield is promised. What each day brought, and why, stands on its receipts.",
    doc.page.margins.left,
  );
  doc.end();
  return done;
}

type Row = [label: string, value: string];

function priceRows(contract: Contract): Row[] {
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
      `${formatPrice(contract.priceUsdE8)} for one ${contract.coin}, as exchanges agreed at ${utc(contract.priceObservedAt)}${contract.simulated ? " (simulated)" : ""}`,
    ],
    ["Bought", utc(contract.boughtAt)],
    ["Transfer in the journal", contract.transferId],
  ];
}

function maintenanceRows(contract: Contract, announced: readonly MaintenanceChange[]): Row[] {
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
        ({ effectiveFrom, usdMicros, reason }): Row => [
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
        ? `in full until ${utc(contract.coolingOffUntil)}`
        : "not possible: only a first contract can be given back",
    ],
  ];
}

function title(doc: PDFKit.PDFDocument, siteName: string, words: string): void {
  doc.font("sans").fontSize(10).fillColor("#A84F20").text(siteName);
  doc.moveDown(0.3).font("serif").fontSize(24).fillColor("#16181D").text("Mining contract");
  doc.font("sans").fontSize(12).fillColor("#5B5F69").text(drawable(words));
}

const labelWidth = 130;

/** A row is never torn across two pages. */
function section(doc: PDFKit.PDFDocument, name: string, rows: readonly Row[]): void {
  const { left, right } = doc.page.margins;
  const valueWidth = doc.page.width - left - right - labelWidth;
  doc.moveDown(1.2).font("serif").fontSize(13).fillColor("#16181D").text(name, left);
  doc.moveDown(0.3).font("sans").fontSize(9.5);
  for (const [label, value] of rows) {
    const height = doc.heightOfString(value, { width: valueWidth });
    if (doc.y + height > doc.page.height - doc.page.margins.bottom) doc.addPage();
    const { y } = doc;
    doc.fillColor("#5B5F69").text(label, left, y, { width: labelWidth - 8 });
    doc.fillColor("#16181D").text(drawable(value), left + labelWidth, y, { width: valueWidth });
    doc.y = y + height + 3;
  }
}

/** The fonts hold Latin letters. Who writes his name in others is named by his address, which tells him as well. */
function namesOf({ firstName, lastName, email }: Parties["customer"]): string {
  const name = `${firstName} ${lastName}`;
  return drawable(name) === name ? `${name}, ${email}` : email;
}

/** A character that the fonts do not hold would be drawn as an empty box. */
function drawable(text: string): string {
  return text.replace(
    /[^ -~\u00A0-\u00FF\u0131\u0152\u0153\u2013\u2014\u2018-\u201D\u2026\u20AC\u2212]/g,
    "?",
  );
}

function utc(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Read when the first contract is printed. */
const fonts = { serif: font("source-serif-4-latin"), sans: font("inter-latin") };

function font(name: string): () => Buffer {
  let bytes: Buffer | undefined;
  return () => {
    bytes ??= readFileSync(path.join(import.meta.dirname, "fonts", `${name}.ttf`));
    return bytes;
  };
}

function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  const parts: Buffer[] = [];
  return new Promise((resolve, reject) => {
    doc.on("data", (part: Buffer) => parts.push(part));
    doc.on("end", () => resolve(Buffer.concat(parts)));
    doc.on("error", reject);
  });
}
