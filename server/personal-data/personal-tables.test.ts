import { expect, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";
import { notPersonal, personalTables } from "./personal-tables.ts";

const { owner } = await testDatabase();

/** Columns that say whose a row is, by a foreign key to a person or by their name. */
async function personalColumns(): Promise<Array<{ table: string; column: string }>> {
  const { rows } = await owner.query(`
    select c.relname as table, a.attname as column
      from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
       and (a.attname ~ '^(user_id|customer_id|owner_id|person_id|email|sender_email|recipient)$'
         or exists (select from pg_constraint k
                     where k.contype = 'f' and k.conrelid = c.oid and a.attnum = any (k.conkey)
                       and k.confrelid in ('users'::regclass, 'customers'::regclass)))`);
  return rows;
}

async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await owner.query(
    "select column_name from information_schema.columns where table_schema = 'public' and table_name = $1",
    [table],
  );
  return rows.map((row) => row.column_name).sort();
}

test("every table that names a person is exported, or there is a reason why not", async () => {
  const found = [...new Set((await personalColumns()).map(({ table }) => table))];
  expect(found.length).toBeGreaterThan(15);
  const missing = found.filter((table) => !personalTables[table] && !notPersonal[table]);
  expect(missing, "add them to server/personal-data/personal-tables.ts").toEqual([]);
});

test.each(Object.entries(personalTables))(
  "every column of %s is exported, or there is a reason why not",
  async (name, { columns, leftOut = {} }) => {
    expect([...columns, ...Object.keys(leftOut)].sort()).toEqual(await columnsOf(name));
  },
);
