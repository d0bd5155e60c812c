/** What makes a spreadsheet read the file as UTF-8. */
export const byteOrderMark = "\uFEFF";

/**
 * Writes rows as CSV (RFC 4180) that a spreadsheet reads as text: cells that would start a formula get an apostrophe
 * in front, negative numbers not, and the byte order mark makes it read UTF-8.
 */
export function toCsv(columns: string[], rows: string[][]): string {
  return `${byteOrderMark}${[columns, ...rows].map(csvLine).join("")}`;
}

/** One row of it, with its end: for files that are written while they are read. */
export function csvLine(cells: string[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(text: string): string {
  const isFormula = /^[=+\-@\t\r\n]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text);
  const harmless = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
