import { expect, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";
import { listExportedColumns, notPersonal, personalTables } from "./personal-tables.ts";

const { db, owner } = await testDatabase();

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

test("every table that names a person is exported, or there is a reason why not", async () => {
  const found = [...new Set((await personalColumns()).map(({ table }) => table))];
  expect(found.length).toBeGreaterThan(15);
  const missing = found.filter((table) => !personalTables[table] && !notPersonal[table]);
  expect(missing, "add them to server/personal-data/personal-tables.ts").toEqual([]);
});

test("a new column is exported without a line of code", async () => {
  await owner.query("alter table customer_settings add column favourite_pool text");
  const columns = await listExportedColumns(db, "customer_settings");
  expect(columns).toContain("favourite_pool");
  expect(columns).not.toContain("customer_id");
});

/** Hashes of files and texts: they open nothing. */
const harmless = [
  "accepted_texts.sha256",
  "chain_payments.block_hash",
  "contact_files.sha256",
  "contracts.terms_sha256",
  "deposit_slips.original_sha256",
  "deposit_slips.sha256",
  "issued_statements.sha256",
];

test("what is left out exists, and no secret is exported", async () => {
  const opening: string[] = [];
  for (const [name, { leftOut = {}, sortedBy }] of Object.entries(personalTables)) {
    const { rows } = await owner.query<{ column_name: string }>(
      "select column_name from information_schema.columns where table_schema = 'public' and table_name = $1",
      [name],
    );
    const known = rows.map((row) => row.column_name);
    expect(known).toEqual(expect.arrayContaining(Object.keys(leftOut)));
    const exported = await listExportedColumns(db, name);
    if (sortedBy) expect(exported).toContain(sortedBy);
    const named = exported.filter((column) => /sha256|hash|token|secret|password|key/.test(column));
    opening.push(...named.map((column) => `${name}.${column}`));
  }
  expect(opening.sort()).toEqual(harmless);
});
