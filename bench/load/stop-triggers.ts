import type { ClientBase } from "pg";

/**
 * From now on this connection writes rows of some tables as they are: no trigger of theirs fires, and no reference is looked
 * up. Call what it returns when they are written.
 */
export async function stopTriggers(
  client: ClientBase,
  tables: string[],
): Promise<() => Promise<void>> {
  await client.query("set session_replication_role = replica");
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
  return async () => {
    await client.query("set session_replication_role = default");
    const { rows } = await client.query<{ statement: string }>(
      `select format('alter table %s enable always trigger %I', tgrelid::regclass, tgname) as statement
         from pg_trigger where tgrelid = any ($1::regclass[]) and not tgisinternal`,
      [tables],
    );
    for (const { statement } of rows) await client.query(statement);
  };
}
