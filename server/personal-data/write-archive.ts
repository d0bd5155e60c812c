import { promisify } from "node:util";
import { type AsyncZippable, zip } from "fflate";
import { sql } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { toCsv } from "../platform/to-csv.ts";
import { openStatement } from "../statements/read-statement.ts";
import { writeCsv } from "../statements/write-csv.ts";
import { writeJson } from "../statements/write-json.ts";
import { listExportedColumns, personalTables, type Subject } from "./personal-tables.ts";

type Row = Record<string, unknown>;
/** The types of the language do not know yet that a reviver is shown the digits as they were written. */
type Reviver = Parameters<typeof JSON.parse>[1];

const compress = promisify<AsyncZippable, Uint8Array>(zip);

/**
 * Writes everything that is kept about a person as a zip: `data.json`, a CSV of every table that is not empty, the
 * statement as the page Transactions gives it, and a page that says what is what. Read in one transaction that sees one moment.
 */
export async function writeArchive(
  tx: Tx,
  person: Subject,
  { siteName, now }: { siteName: string; now: Date },
): Promise<Uint8Array> {
  const tables: Record<string, Row[]> = {};
  for (const name of Object.keys(personalTables)) tables[name] = await readRows(tx, name, person);
  const made = now.toISOString();
  const text = (content: string) => new TextEncoder().encode(content);
  const files: AsyncZippable = {
    "README.txt": text(describe(siteName, made, tables)),
    "data.json": text(`${JSON.stringify({ made, site: siteName, tables }, null, 2)}\n`),
  };
  const about = { siteName, customerId: person.id, period: null, madeAt: now };
  const open = () => openStatement(tx, person.id, null);
  files["statement.csv"] = text(await whole(writeCsv(await open())));
  files["statement.json"] = text(await whole(writeJson(await open(), about)));
  for (const [name, rows] of Object.entries(tables)) {
    if (rows.length > 0) files[`csv/${name}.csv`] = text(csvOf(rows));
  }
  return compress(files);
}

async function whole(parts: AsyncGenerator<string>): Promise<string> {
  const read: string[] = [];
  for await (const part of parts) read.push(part);
  return read.join("");
}

/** Values as PostgreSQL writes them; what is JSON there stays JSON. */
async function readRows(tx: Tx, name: string, person: Subject): Promise<Row[]> {
  const table = personalTables[name];
  if (!table) throw new Error(`no table ${name}`);
  const columns = await listExportedColumns(tx, name);
  const read = columns.map((column) => `${table.read?.[column] ?? `"${column}"`} as "${column}"`);
  const { rows } = await tx.execute<{ row: string }>(
    sql`select to_json(kept)::text as row from
         (select ${sql.raw(read.join(", "))} from ${sql.raw(`"${name}"`)} where ${table.rows(person)} order by ${sql.identifier(table.sortedBy ?? columns[0] ?? "")}) kept`,
  );
  return rows.map(({ row }) => JSON.parse(row, keepDigits as Reviver) as Row);
}

/** A number with more digits than JavaScript keeps becomes text: a balance in wei. */
function keepDigits(_name: string, value: unknown, context?: { source: string }): unknown {
  return typeof value === "number" && !Number.isSafeInteger(value) ? context?.source : value;
}

function csvOf(rows: Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  return toCsv(
    columns,
    rows.map((row) => columns.map((column) => cell(row[column]))),
  );
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function describe(siteName: string, made: string, tables: Record<string, Row[]>): string {
  const lines = Object.entries(tables).map(
    ([name, rows]) => `${name} (${rows.length})\n  ${personalTables[name]?.about}`,
  );
  return [
    `Everything that ${siteName} keeps about you, as of ${made}.`,
    "",
    "data.json holds all of it; csv/ holds a file for each part that is not empty, for a spreadsheet.",
    "statement.csv and statement.json hold every entry on your accounts with what it was worth then, in whole coins.",
    "Times are in UTC. Amounts of coins are in their smallest units: satoshi, wei, millionths of a USDT; dollars in cents.",
    "Numbers with more than 15 digits are written as text, so that no program rounds them.",
    "What would open something (passwords, links, keys) is not in it, nor what says nothing about you.",
    "A cell of a CSV file that a spreadsheet would take for a formula begins with an apostrophe.",
    "",
    ...lines,
    "",
  ].join("\r\n");
}
