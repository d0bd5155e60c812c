import { ink } from "./open-pdf.ts";

export type PdfRow = [label: string, value: string];

interface Head {
  siteName: string;
  title: string;
  words: string;
}

/** The head of a document: whose it is, what it is, and a line about it. */
export function writeHead(doc: PDFKit.PDFDocument, { siteName, title, words }: Head): void {
  doc.font("sans").fontSize(10).fillColor(ink.accent).text(siteName);
  doc.moveDown(0.3).font("serif").fontSize(24).fillColor(ink.text).text(title);
  doc.font("sans").fontSize(12).fillColor(ink.muted).text(drawable(words));
}

const labelWidth = 130;

/** A section of labels and values. A row is never torn across two pages. */
export function writeSection(doc: PDFKit.PDFDocument, name: string, rows: readonly PdfRow[]): void {
  const { left, right } = doc.page.margins;
  const valueWidth = doc.page.width - left - right - labelWidth;
  writeSectionName(doc, name);
  doc.font("sans").fontSize(9.5);
  for (const [label, value] of rows) {
    const height = doc.heightOfString(value, { width: valueWidth });
    if (doc.y + height > doc.page.height - doc.page.margins.bottom) doc.addPage();
    const { y } = doc;
    doc.fillColor(ink.muted).text(label, left, y, { width: labelWidth - 8 });
    doc.fillColor(ink.text).text(drawable(value), left + labelWidth, y, { width: valueWidth });
    doc.y = y + height + 3;
  }
}

export function writeSectionName(doc: PDFKit.PDFDocument, name: string): void {
  doc.moveDown(1.2).font("serif").fontSize(13).fillColor(ink.text);
  doc.text(name, doc.page.margins.left).moveDown(0.3);
}

/** A name in letters that the fonts lack is replaced by the e-mail address. */
export function drawableName(person: {
  firstName: string;
  lastName: string;
  email: string;
}): string {
  const { firstName, lastName, email } = person;
  const name = `${firstName} ${lastName}`;
  return drawable(name) === name ? `${name}, ${email}` : email;
}

/** The fonts hold Latin letters: a character that they do not hold would be drawn as an empty box. */
export function drawable(text: string): string {
  return text.replace(
    /[^ -~\u00A0-\u00FF\u0131\u0152\u0153\u2013\u2014\u2018-\u201D\u2026\u20AC\u2212]/g,
    "?",
  );
}

/** "2026-11-20 12:00:00 UTC" */
export function utcWords(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
