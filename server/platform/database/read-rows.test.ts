import { expect, test } from "vitest";
import { sql } from "#server/platform/sql.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import {
  findRow,
  flag,
  getRow,
  json,
  moment,
  number,
  oneOf,
  orNull,
  parseRows,
  readRows,
  text,
  units,
} from "./read-rows.ts";

const database = await testDatabase();

test("reads every kind of column as PostgreSQL gives it", async () => {
  const row = await getRow(
    database.db,
    sql`select 'a' as name, true as holds, 7 as count, 12345678901234567890::numeric as sats, 8::bigint as steps,
          '2026-11-24T00:40:00Z'::timestamptz as at, null::text as nothing, '{"a": 1}'::jsonb as facts, 'open' as state`,
    {
      name: text,
      holds: flag,
      count: number,
      sats: units,
      steps: number,
      at: moment,
      nothing: orNull(text),
      facts: json<{ a: number }>(),
      state: oneOf(["open", "closed"]),
    },
  );
  expect(row).toEqual({
    name: "a",
    holds: true,
    count: 7,
    sats: 12_345_678_901_234_567_890n,
    steps: 8,
    at: new Date("2026-11-24T00:40:00Z"),
    nothing: null,
    facts: { a: 1 },
    state: "open",
  });
});

test("refuses a column that is missing, misspelt, null or of another kind", async () => {
  const read = (statement: ReturnType<typeof sql>, column = units) =>
    readRows(database.db, statement, { sats: column });
  await expect(read(sql`select 1 as coins`)).rejects.toThrow("column coins is not read");
  await expect(read(sql`select 1 as sats, 2 as more`)).rejects.toThrow("column more is not read");
  await expect(read(sql`select null as sats`)).rejects.toThrow(
    "column sats: null is not an integer",
  );
  await expect(read(sql`select 0.5 as sats`)).rejects.toThrow("column sats: 0.5 is not an integer");
  expect(() => parseRows([{}], { sats: units })).toThrow("column sats is missing");
  expect(() => parseRows([{ n: "9007199254740993" }], { n: number })).toThrow("too large");
  expect(() => parseRows([{ s: "shut" }], { s: oneOf(["open"]) })).toThrow("not one of open");
  expect(() => parseRows([{ at: "soon" }], { at: moment })).toThrow("not a moment");
  expect(() => parseRows([{ it: null }], { it: json() })).toThrow("no JSON");
});

test("one row is one row", async () => {
  const two = sql`select n from generate_series(1, 2) n`;
  await expect(findRow(database.db, two, { n: number })).rejects.toThrow("2 rows instead of one");
  const none = sql`select 1 as n where false`;
  expect(await findRow(database.db, none, { n: number })).toBeNull();
  await expect(getRow(database.db, none, { n: number })).rejects.toThrow("no row instead of one");
  expect(await readRows(database.db, two, { n: number })).toEqual([{ n: 1 }, { n: 2 }]);
});

test("a column in snake case is read by its name in camel case", async () => {
  const statement = sql`select 5 as fee_sats, 6 as "netSats", 7 as price_usd_e8`;
  const columns = { feeSats: units, netSats: units, priceUsdE8: units };
  expect(await getRow(database.db, statement, columns)).toEqual({
    feeSats: 5n,
    netSats: 6n,
    priceUsdE8: 7n,
  });
});
