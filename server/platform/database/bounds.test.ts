import { expect, test } from "vitest";
import { bounds } from "#core/payments/bounds.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { readSchema } from "./schema-text.ts";

test("PostgreSQL has the bounds of core/payments/bounds.ts, and asks for no others", async () => {
  const { owner } = await testDatabase();
  const { functions } = readSchema();
  const asked = functions.flatMap(({ sql }) => [...sql.matchAll(/\bbound\('{1,2}(\w+)/g)]);
  expect(new Set(asked.map(([, name]) => name))).toEqual(new Set(Object.keys(bounds)));
  for (const [name, units] of Object.entries(bounds)) {
    const { rows } = await owner.query(
      `select coin, bound($1, coin)::text as units from unnest('{BTC,ETH,USDT}'::text[]) coin where bound($1, coin) is not null`,
      [name],
    );
    const inSql = Object.fromEntries(rows.map((row) => [row.coin, BigInt(row.units)]));
    expect(inSql, name).toEqual(units);
  }
});
