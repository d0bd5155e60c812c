import { appendFileSync } from "node:fs";

/** A figure that is held to a bar. */
export interface Held {
  work: string;
  /** What the figure is a multiple of; where it is none, it has a unit of its own. */
  beside?: string;
  figure: number;
  /** Left out: times what it stands beside. */
  unit?: string;
  atLeast?: number;
  atMost?: number;
}

/** A line of the table that `npm run bench` ends with. */
export interface Line {
  work: string;
  beside: string;
  figure: string;
  bar: string;
  met: "met" | "MISSED" | "not compared";
}

/** Says how a figure stands to its bar; a missed one makes the exit code 1. */
export function hold({ work, beside = "", figure, unit = "x", atLeast, atMost }: Held): void {
  const isMet = figure >= (atLeast ?? figure) && figure <= (atMost ?? figure);
  const bound = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  const met = isMet ? "met" : "MISSED";
  write({ work, beside, figure: `${toText(figure)} ${unit}`, bar: `${bound} ${unit}`, met });
  if (!isMet) process.exitCode = 1;
}

/** For what the machine lacks. */
export function skip(work: string, why: string): void {
  write({ work, beside: why, figure: "", bar: "", met: "not compared" });
}

function write(line: Line): void {
  const { work, beside, figure, bar, met } = line;
  const isOf = [beside && (figure ? `beside ${beside}` : beside), bar && `(${bar})`];
  console.log([met.padEnd(6), `${work}:`, figure, ...isOf].filter(Boolean).join(" "));
  const file = process.env["BENCH_TABLE"];
  if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

function toText(figure: number): string {
  return Number.isInteger(figure) || figure >= 100 ? String(Math.round(figure)) : figure.toFixed(2);
}

/** Rows under their heads, the first columns to the left and the others to the right. */
export function printTable(head: string[], rows: string[][], toTheLeft = 1): void {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? "").length)),
  );
  for (const row of [head, ...rows]) {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column < toTheLeft ? cell.padEnd(width) : cell.padStart(width);
    });
    console.log(cells.join("  ").trimEnd());
  }
}
