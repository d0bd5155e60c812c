/** A file of the console to download: `deposits-2026-11-24.csv`. */
export function csvFile(name: string, of: string, csv: string): Response {
  return new Response(csv, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}-${of}.csv"`,
    },
  });
}
