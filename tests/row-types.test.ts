import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";

/**
 * `server/<room>/schema.ts` has the tables of `database/<room>` as Drizzle and TypeScript need them, written from the migrated database:
 *
 *     npx vitest run tests/row-types.test.ts -u
 *
 * A check of listed values is a union, also in columns that refer to one with such a check. What PostgreSQL does not know, a comment says:
 *
 *     comment on column pool_pulls.differences is 'ts: Difference[] from #server/payouts/payout.ts';
 *     comment on column custody_days.custody_units is 'ts: set by a trigger'; -- Inserts may leave it out.
 *     comment on view custody_coverage is 'ts: only block_height may be null'; -- Otherwise all of a view may.
 */
interface Column {
  table: string;
  name: string;
  type: string;
  isView: boolean;
  isNotNull: boolean;
  hasDefault: boolean;
  isIdentity: boolean;
  mayInsert: boolean;
  comment: string | null;
  ofTable: string | null;
  checks: string[];
  refersTo: { table: string; name: string } | null;
}

const columnsOf = `
  select c.relname as table, a.attname as name, c.relkind in ('v', 'm') as "isView", a.attnotnull as "isNotNull",
    format_type(coalesce(nullif(t.typbasetype, 0), t.oid), case t.typtype when 'd' then t.typtypmod else a.atttypmod end) as type,
    a.atthasdef as "hasDefault", a.attidentity <> '' as "isIdentity",
    substring(col_description(c.oid, a.attnum) from '^ts: (.*)') as comment,
    substring(obj_description(c.oid, 'pg_class') from '^ts: (.*)') as "ofTable",
    -- Drizzle names each column that it may insert, and PostgreSQL asks for the right to each.
    a.attgenerated = '' and (not has_any_column_privilege('assay_app', c.oid, 'insert')
      or has_column_privilege('assay_app', c.oid, a.attnum, 'insert')) as "mayInsert",
    array(select pg_get_constraintdef(k.oid) from pg_constraint k where k.contype = 'c'
      and (k.conrelid = c.oid and k.conkey = array[a.attnum] or k.contypid = t.oid)) as checks,
    (select json_build_object('table', other.relname, 'name', theirs.attname)
      from pg_constraint k join pg_class other on other.oid = k.confrelid
      join pg_attribute theirs on theirs.attrelid = k.confrelid and theirs.attnum = k.confkey[array_position(k.conkey, a.attnum)]
      where k.contype = 'f' and k.conrelid = c.oid and a.attnum = any (k.conkey) order by k.oid limit 1) as "refersTo"
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
    and c.relname not in ('schema_migrations', 'schema_functions')
  order by c.relname, a.attnum`;

/** PostgreSQL's types as Drizzle's words. As text: what node-postgres gives as it comes, and nothing here calculates with. */
const words: Record<string, string> = {
  boolean: "boolean",
  bytea: "bytes",
  date: "date",
  int8multirange: "text",
  integer: "integer",
  interval: "text",
  jsonb: "jsonb",
  ledger_leg: "text",
  numeric: "text",
  "numeric(38,0)": "amount",
  regproc: "text",
  smallint: "smallint",
  text: "text",
  "timestamp with time zone": "time",
  uuid: "uuid",
  xid8: "text",
};

const { owner } = await testDatabase();
const { rows: columns } = await owner.query<Column>(columnsOf);
const tables = Map.groupBy(columns, ({ table }) => table);
const creates = /^create (?:(?:materialized )?view|table) (\w+)/gm;
const made = readdirSync("database", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".sql"))
  .sort()
  .flatMap((file) =>
    [...readFileSync(`database/${file}`, "utf8").matchAll(creates)].flatMap(([, name = ""]) =>
      tables.has(name) ? [{ room: file.split("/")[0] ?? "", name }] : [],
    ),
  )
  .filter(({ room }) => room !== "migrations");
const rooms = new Map(
  [...Map.groupBy(made, ({ room }) => room)].map(([room, each]) => [
    room,
    each.map(({ name }) => name),
  ]),
);

test("each table and view is of one room, and each schema.ts of a room that has some", () => {
  expect([...rooms.values()].flat().sort()).toEqual([...tables.keys()].sort());
  const written = readdirSync("server", { recursive: true, encoding: "utf8" });
  expect(written.filter((file) => /(^|\/)schema\.ts$/.test(file)).sort()).toEqual(
    [...rooms.keys()].map((room) => `${room}/schema.ts`).sort(),
  );
});

test.each([...rooms])("the tables of %s are as in the database", async (room, names) => {
  await expect(fileOf(names)).toMatchFileSnapshot(`../server/${room}/schema.ts`);
});

function fileOf(names: string[]): string {
  const body = names.map(tableText).join("\n");
  const of = names.flatMap((name) => tables.get(name) ?? []);
  const types = Map.groupBy(
    of.map(typeOf).filter((type) => type.file !== undefined),
    ({ file }) => file,
  );
  const used = (known: string[]) =>
    known.filter((word) => new RegExp(`\\b${word}[(\`]`).test(body)).join(", ");
  const imports = [
    ...[...types].map(([file, each]) => [
      `type { ${named(each.map(({ text = "" }) => text))} }`,
      file,
    ]),
    [`{ ${used(["amount", "bytes", "time"])} }`, "#server/platform/columns.ts"],
    [`{ ${used(["sql"])} }`, "#server/platform/sql.ts"],
    [
      `{ ${used(["bigint", "boolean", "date", "integer", "jsonb", "numeric", "pgTable", "pgView", "smallint", "text", "uuid"])} }`,
      "#server/platform/tables.ts",
    ],
  ];
  const lines = imports.flatMap(([what, file]) =>
    what === "{  }" ? [] : [`import ${what} from "${file}";\n`],
  );
  return `// Written by tests/row-types.test.ts. To change it, change the tables in database/.\n${lines.sort().join("")}\n${body}`;
}

/** The names of types in these, TypeScript's own left out. */
function named(types: string[]): string {
  const names = types.flatMap((type) => type.match(/\b[A-Z]\w*/g) ?? []);
  return [...new Set(names)]
    .filter((name) => !/^(Partial|Record)$/.test(name))
    .sort()
    .join(", ");
}

function tableText(name: string): string {
  const of = tables.get(name) ?? [];
  const lines = of.map((column) => `  ${camel(column.name)}: ${columnText(column)},\n`);
  const [word, end] = of[0]?.isView ? ["pgView", ".existing()"] : ["pgTable", ""];
  return `export const ${camel(name)} = ${word}("${name}", {\n${lines.join("")}})${end};\n`;
}

function columnText(column: Column): string {
  const { text: type } = typeOf(column);
  const isNumber = type === "number";
  let text = wordOf(column, isNumber);
  if (type && !isNumber) text += `.$type<${type}>()`;
  if (isNeverNull(column)) text += ".notNull()";
  if (!column.mayInsert) text += ".generatedAlwaysAs(sql``)";
  else if (column.isIdentity) text += ".generatedAlwaysAsIdentity()";
  else if (column.hasDefault || column.comment?.startsWith("set by a trigger"))
    text += ".default(sql`default`)";
  return text;
}

function isNeverNull({ isView, isNotNull, ofTable, name }: Column): boolean {
  if (!isView) return isNotNull;
  const [, nullable] = /^only (.*) may be null$/.exec(ofTable ?? "") ?? [];
  return ofTable === "nothing may be null" || nullable?.split(", ").includes(name) === false;
}

function wordOf({ table, name, type }: Column, isNumber: boolean): string {
  const [, one = "", array] = /^(.*?)(\[\])?$/.exec(type) ?? [];
  const many = array ? ".array()" : "";
  const [, precision, scale] = /^numeric\((\d+),(\d+)\)$/.exec(one) ?? [];
  if (one === "bigint")
    return `bigint("${name}", { mode: "${isNumber ? "number" : "bigint"}" })${many}`;
  if (words[one]) return `${words[one]}("${name}")${many}`;
  if (precision)
    return `numeric("${name}", { precision: ${precision}, scale: ${scale}, mode: "${scale === "0" ? "bigint" : "number"}" })${many}`;
  throw new Error(`${table}.${name}: say here how ${type} is read`);
}

/** The TypeScript type of a column where it is not its PostgreSQL type's, and the file that it is imported from. */
function typeOf(column: Column): { text?: string | undefined; file?: string | undefined } {
  const seen = new Set<Column>();
  for (let each: Column | undefined = column; each && !seen.has(each); ) {
    seen.add(each);
    const said = each.comment?.replace(/^set by a trigger(, )?/, "");
    const [, text, file] = /^(.*?)(?: from (#\S+))?$/.exec(said ?? "") ?? [];
    if (text) return { text, file };
    if (each.type === "jsonb") return { text: "Record<string, unknown>" };
    const [values] = each.checks.flatMap((check) => valuesOf(check) ?? []);
    if (values) return { text: values };
    const { refersTo }: Column = each;
    each = tables.get(refersTo?.table ?? "")?.find(({ name }) => name === refersTo?.name);
  }
  return {};
}

/** `'a' | 'b'` of a check of listed texts or integers, or of one text. */
function valuesOf(check: string): string | null {
  const [, list] =
    /^CHECK \(\(\w+ = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(check) ??
    /^CHECK \(\(\w+ = ('[^']*'::text)\)\)$/.exec(check) ??
    [];
  if (list === undefined) return null;
  const values = list
    .split(", ")
    .map((each) => /^(?:'([\w -]*|[\w/.-]*)'::text|(-?\d+))$/.exec(each));
  if (values.includes(null)) throw new Error(`say here how ${check} is read`);
  return values.map((each) => each?.[2] ?? `"${each?.[1]}"`).join(" | ");
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
