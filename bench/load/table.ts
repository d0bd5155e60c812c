/** Rows under their heads, the first column to the left and the others to the right. */
export function printTable(head: string[], rows: string[][]): void {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? "").length)),
  );
  for (const row of [head, ...rows]) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(cells.join("  "));
  }
}

/** Says how a figure stands to its bar; a missed one makes the exit code 1. */
export function printBar(what: string, met: boolean): void {
  if (!met) process.exitCode = 1;
  console.log(`${met ? "met   " : "MISSED"}  ${what}`);
}
