import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";

/**
 * `server/<room>/schema.ts` has the tables of `database/<room>` as Drizzle and TypeScript need them, written from the migrated database:
 *
 *     npx vitest run tests/row-types.test.ts -u
 *
 * A column's check of listed values is a union, and so is a column that refers to one. What PostgreSQL does not know, a comment on the
 * column says: a TypeScript type, for capitalized names with `from` and the file, or `null` for what may be missing in a view.
 */
interface Column {
  table: string;
  name: string;
  type: string;
  isView: boolean;
  notNull: boolean;
  hasDefault: boolean;
  isIdentity: boolean;
  isWritten: boolean;
  comment: string | null;
  values: string[];
  refersTo: { table: string; name: string } | null;
}

const columnsOf = `
  select c.relname as table, a.attname as name, c.relkind = 'v' as "isView", a.attnotnull as "notNull",
    format_type(coalesce(nullif(t.typbasetype, 0), t.oid), case t.typtype when 'd' then t.typtypmod else a.atttypmod end) as type,
    a.atthasdef as "hasDefault", a.attidentity <> '' as "isIdentity", col_description(c.oid, a.attnum) as comment,
    -- Drizzle names each column that it may insert, and PostgreSQL asks for the right to each.
    a.attgenerated = '' and (not has_any_column_privilege('assay_app', c.oid, 'insert')
      or has_column_privilege('assay_app', c.oid, a.attnum, 'insert')) as "isWritten",
    array(select value[1] from pg_constraint k,
        regexp_matches(substring(pg_get_constraintdef(k.oid) from '^CHECK \\(\\(\\w+ = (?:ANY \\(ARRAY\\[)?([^()]*?)(?:\\]\\))?\\)\\)$'), '''[^'']*''|\\d+', 'g') value
      where k.contype = 'c' and (k.conrelid = c.oid and k.conkey = array[a.attnum] or k.contypid = t.oid)) as values,
    (select json_build_object('table', other.relname, 'name', theirs.attname)
      from pg_constraint k join pg_class other on other.oid = k.confrelid
      join pg_attribute theirs on theirs.attrelid = k.confrelid and theirs.attnum = k.confkey[array_position(k.conkey, a.attnum)]
      where k.contype = 'f' and k.conrelid = c.oid and a.attnum = any (k.conkey) order by k.oid limit 1) as "refersTo"
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
  order by c.relname, a.attnum`;

/** PostgreSQL's types as Drizzle's words; node-postgres gives any other as its text. */
const words: Record<string, string> = {
  bigint: "bigint",
  boolean: "boolean",
  bytea: "bytes",
  date: "date",
  integer: "integer",
  jsonb: "jsonb",
  smallint: "smallint",
  "timestamp with time zone": "time",
  uuid: "uuid",
};

const { owner } = await testDatabase();
const { rows: columns } = await owner.query<Column>(columnsOf);
const tables = Map.groupBy(columns, ({ table }) => table);
const rooms = readdirSync("database", { withFileTypes: true }).filter((each) => each.isDirectory());

test.each(rooms.map(({ name }) => name))(
  "the tables of %s are as in the database",
  async (room) => {
    const made = readdirSync(`database/${room}`)
      .filter((file) => file.endsWith(".sql"))
      .flatMap((file) => [
        ...readFileSync(`database/${room}/${file}`, "utf8").matchAll(
          /^create (?:table|view) (\w+)/gm,
        ),
      ])
      .flatMap(([, name = ""]) => (tables.has(name) ? [name] : []));
    if (made.length > 0)
      await expect(fileOf(made)).toMatchFileSnapshot(`../server/${room}/schema.ts`);
  },
);

function fileOf(names: string[]): string {
  const texts = names.map(tableText);
  const body = texts.join("\n");
  const used = (known: string[]) => known.filter((word) => new RegExp(`\\b${word}\\(`).test(body));
  const types = new Map<string, Set<string>>();
  for (const { comment } of names.flatMap((name) => tables.get(name) ?? [])) {
    const [, type = "", file] = /^(.*) from (.*)$/.exec(comment ?? "") ?? [];
    if (file === undefined) continue;
    const named = type
      .match(/\b[A-Z]\w*/g)
      ?.filter((word) => !["Partial", "Record"].includes(word));
    types.set(file, new Set([...(types.get(file) ?? []), ...(named ?? [])]));
  }
  const imports = [
    ...[...types].map(
      ([file, named]) => `import type { ${[...named].join(", ")} } from "${file}";`,
    ),
    importOf(used(["amount", "bytes", "time"]), "#server/platform/columns.ts"),
    importOf(body.includes("sql`") ? ["sql"] : [], "#server/platform/sql.ts"),
    importOf(
      used([
        "bigint",
        "boolean",
        "date",
        "integer",
        "jsonb",
        "numeric",
        "pgTable",
        "pgView",
        "smallint",
        "text",
        "uuid",
      ]),
      "#server/platform/tables.ts",
    ),
  ];
  return `// Written by tests/row-types.test.ts. To change it, change the tables in database/.\n${imports.filter(Boolean).sort().join("\n")}\n\n${body}`;
}

function importOf(names: string[], file: string): string {
  return names.length === 0 ? "" : `import { ${names.join(", ")} } from "${file}";`;
}

function tableText(name: string): string {
  const of = tables.get(name) ?? [];
  const isView = of[0]?.isView;
  const lines = of.map((column) => `  ${camel(column.name)}: ${columnText(column)},\n`);
  return `export const ${camel(name)} = ${isView ? "pgView" : "pgTable"}("${name}", {\n${lines.join("")}})${isView ? ".existing()" : ""};\n`;
}

function columnText(column: Column): string {
  const type = typeOf(column);
  let text = wordOf(column);
  if (type !== null && type !== "number") text += `.$type<${type}>()`;
  if (column.isView ? column.comment !== "null" : column.notNull) text += ".notNull()";
  if (column.isIdentity) text += ".generatedAlwaysAsIdentity()";
  else if (!column.isWritten) text += ".generatedAlwaysAs(sql``)";
  else if (column.hasDefault) text += ".default(sql`default`)";
  return text;
}

function wordOf({ name, type, comment }: Column): string {
  const [, one = "", precision, scale, many] =
    /^(.*?)(?:\((\d+),(\d+)\))?(\[\])?$/.exec(type) ?? [];
  const array = many ? ".array()" : "";
  if (one === "numeric" && precision === "38") return `amount("${name}")${array}`;
  if (one === "numeric" && precision)
    return `numeric("${name}", { precision: ${precision}, scale: ${scale}, mode: "${scale === "0" ? "bigint" : "number"}" })`;
  if (one === "bigint")
    return `bigint("${name}", { mode: "${comment === "number" ? "number" : "bigint"}" })`;
  return `${words[one] ?? "text"}("${name}")${array}`;
}

function typeOf(column: Column, asked: Column[] = []): string | null {
  const { type, comment, values, refersTo } = column;
  if (comment !== null && comment !== "null") return comment.replace(/ from .*/, "");
  if (values.length > 0) return values.map((value) => value.replaceAll("'", '"')).join(" | ");
  if (type === "jsonb") return "Record<string, unknown>";
  const other = tables.get(refersTo?.table ?? "")?.find(({ name }) => name === refersTo?.name);
  return other && !asked.includes(other) ? typeOf(other, [...asked, column]) : null;
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
