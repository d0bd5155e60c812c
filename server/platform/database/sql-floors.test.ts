import { expect, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";
import floors from "../../../database/floors.json" with { type: "json" };
import { readSchema, type SchemaText } from "./schema-text.ts";

const { owner } = await testDatabase();
const { tables, functions } = readSchema();

const floorOf = new Map(floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor])));

/** Which room's text makes what it is that the pattern names. */
function makers(texts: SchemaText[], pattern: RegExp): Map<string, string> {
  return new Map(
    texts.flatMap(({ name, sql }) =>
      [...sql.matchAll(pattern)].map(([, made = ""]) => [made, name.split("/")[0] ?? ""] as const),
    ),
  );
}
const roomOfTable = makers(tables, /^create (?:table|view|sequence) ([a-z_0-9]+)/gm);
const roomOfFunction = new Map([
  ...makers(tables, /^ *(?:execute format\(')?create function (?:public\.)?([a-z_0-9]+)/gm),
  ...makers(functions, /^create or replace (?:function|procedure) ([a-z_0-9]+)/gm),
  ...makers(functions, /^call check_rows\('[a-z_0-9]+',\s*'(?:[^']|'')*',\s*'([a-z_0-9]+)'/gm),
]);
const roomOfTrigger = makers(
  functions,
  /^create or replace trigger ([a-z_0-9]+\s[^;]*?\son [a-z_0-9]+)/gm,
);
/** Rules that many tables have: `call keep_rows('{sites,outages}')`. */
const rulesOfTables = functions.flatMap(({ name, sql }) =>
  [...sql.matchAll(/^call [a-z_]+\(([^;]*)\);/gm)].map(([, said = ""]) => ({
    room: name.split("/")[0] ?? "",
    said: [...said.matchAll(/[a-z_0-9]+/g)].map(([word]) => word),
  })),
);

/** Whether a room may know another one: itself, and those on floors below. */
function mayKnow(room: string, known: string): boolean {
  return room === known || (floorOf.get(room) ?? -1) > (floorOf.get(known) ?? 99);
}

/** What a function's own text names: no comments, and no words in quotes but where it makes statements of them. */
function namesIn(source: string): string[] {
  const text = source.replace(/--.*$/gm, "");
  const names = /\bexecute\b/.test(text) ? text : text.replace(/'(?:[^']|'')*'/g, "''");
  return [...new Set(names.match(/[a-z_][a-z_0-9]+/g) ?? [])];
}

test("every table and every function stands in one room's text, and nothing else is there", async () => {
  const { rows } = await owner.query<{ name: string; kind: string }>(
    `select relname as name, 'table' as kind from pg_class c
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
        and relname not in ('schema_migrations', 'schema_functions')
     union all
     select proname, 'function' from pg_proc p where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  );
  const homeless = rows.filter(
    ({ name, kind }) => !(kind === "table" ? roomOfTable : roomOfFunction).has(name),
  );
  expect(homeless).toEqual([]);
  const twice = functions.flatMap(({ sql }) =>
    [...sql.matchAll(/^create or replace (?:function|procedure) ([a-z_0-9]+)/gm)].map(
      ([, name]) => name,
    ),
  );
  expect(twice.filter((name, index) => twice.indexOf(name) !== index)).toEqual([]);
});

test("functions name tables and functions of their own room and of floors below", async () => {
  const { rows } = await owner.query<{ name: string; source: string }>(
    `select proname as name, prosrc || ' ' || pg_get_function_arguments(p.oid) || ' ' || coalesce(pg_get_function_result(p.oid), '') as source
       from pg_proc p where pronamespace = 'public'::regnamespace order by 1`,
  );
  const upwards = rows.flatMap(({ name, source }) => {
    const room = roomOfFunction.get(name);
    if (room === undefined) return [];
    const known = (each: string) => roomOfTable.get(each) ?? roomOfFunction.get(each) ?? room;
    return namesIn(source)
      .filter((each) => each !== name && !mayKnow(room, known(each)))
      .map((each) => `${room}/${name} names ${known(each)}/${each}`);
  });
  expect(upwards).toEqual([]);
});

test("tables refer to tables of their own room and of floors below, or their text says so in the upper room", async () => {
  const { rows } = await owner.query<{ from: string; to: string; name: string }>(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to, conname as name from pg_constraint
      where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by 1, 2`,
  );
  const upwards = rows.filter(({ from, to, name }) => {
    const [room = "", known = ""] = [roomOfTable.get(from), roomOfTable.get(to)];
    const upper = tables.find((each) => each.name === `${known}/tables.sql`)?.sql ?? "";
    return !mayKnow(room, known) && !upper.includes(`add constraint ${name} `);
  });
  expect(
    upwards.map(
      ({ from, to }) => `${roomOfTable.get(from)}/${from} refers to ${roomOfTable.get(to)}/${to}`,
    ),
  ).toEqual([]);
});

test("a trigger stands in the room of its function, or of its table where the function is one of a floor below", async () => {
  const { rows } = await owner.query<{ name: string; relation: string; guard: string }>(
    `select tgname as name, tgrelid::regclass::text as relation, tgfoid::regproc::text as guard from pg_trigger
      where not tgisinternal and not (select relispartition from pg_class where oid = tgrelid)`,
  );
  const wrong = rows.filter(({ name, relation, guard }) => {
    const [, room = rulesOfTables.find(({ said }) => said.includes(relation))?.room ?? ""] =
      [...roomOfTrigger].find(
        ([made]) => made.split(/\s/)[0] === name && made.endsWith(` ${relation}`),
      ) ?? [];
    const [ofTable = "", ofGuard = ""] = [roomOfTable.get(relation), roomOfFunction.get(guard)];
    return room !== ofTable && room !== ofGuard;
  });
  expect(wrong.filter(({ relation }) => roomOfTable.has(relation))).toEqual([]);
});
