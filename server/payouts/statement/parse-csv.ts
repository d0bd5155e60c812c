export interface CsvLine {
  /** Where it begins in the file, from 1. */
  line: number;
  cells: string[];
  /** A quote that is never closed begins in it: it and all that follows is no table. */
  cutOff: boolean;
}

/**
 * Reads delimited text (RFC 4180): quotes, quotes within quotes, line ends of every kind and within quotes. The delimiter
 * is the one of comma, semicolon and tab that stands most often outside quotes in the first lines. Empty lines are left out.
 */
export function parseCsv(text: string): { delimiter: string; lines: CsvLine[] } {
  const delimiter = findDelimiter(text);
  // A cell, quoted or not, and what ends it.
  const next = new RegExp(
    `[ ]*(?:"((?:[^"]|"")*)"[^${delimiter}\\r\\n]*|((?!")[^${delimiter}\\r\\n]*))(${delimiter}|\\r\\n|\\r|\\n|$)`,
    "y",
  );
  const lines: CsvLine[] = [];
  let cells: string[] = [];
  let line = 1;
  let begin = 1;
  let at = 0;
  for (;;) {
    const [, quoted, plain = "", end] = next.exec(text) ?? [];
    if (end === undefined) {
      lines.push({ line: begin, cells: [...cells, text.slice(at).trim()], cutOff: true });
      break;
    }
    at = next.lastIndex;
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    line += quoted?.match(/\r\n|\r|\n/g)?.length ?? 0;
    if (end === delimiter) continue;
    if (cells.some((each) => each !== "")) lines.push({ line: begin, cells, cutOff: false });
    if (end === "") break;
    cells = [];
    line += 1;
    begin = line;
  }
  return { delimiter, lines };
}

function findDelimiter(text: string): string {
  const start = text.slice(0, 4000).replace(/"[^"]*"/g, "");
  const count = (char: string) => start.split(char).length;
  return [",", ";", "\t"].reduce((best, char) => (count(char) > count(best) ? char : best));
}
