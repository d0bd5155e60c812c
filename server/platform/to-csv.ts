/**
 * Writes rows as CSV (RFC 4180) that a spreadsheet reads as text: cells that would start a formula get an apostrophe
 * in front, negative numbers not, and the byte order mark makes it read UTF-8.
 */
export function toCsv(columns: string[], rows: string[][]): string {
  return `\uFEFF${[columns, ...rows].map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

function cell(text: string): string {
  const isFormula = /^[=+\-@\t\r\n]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text);
  const harmless = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
