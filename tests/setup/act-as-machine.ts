import pg from "pg";

/**
 * Lets factories act without a person, as the application's role and whatever the act: what a test is not about is not done by
 * somebody who would have to be made first. In the product only the server's own commands may (`guard_machine_act`).
 */
export async function letFactoriesActAsMachine(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(
    `create or replace function guard_machine_act() returns trigger language plpgsql
     set search_path = pg_catalog, public, pg_temp
     set datestyle = 'ISO, MDY' set timezone = 'UTC' set intervalstyle = 'postgres' set extra_float_digits = 1 set bytea_output = 'hex'
     set standard_conforming_strings = on set transform_null_equals = off set array_nulls = on as $$ begin return new; end $$`,
  );
  await client.end();
}
