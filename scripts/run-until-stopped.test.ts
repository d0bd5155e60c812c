import { expect, test } from "vitest";
import { sql } from "#server/platform/sql.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { oneLine } from "./run-until-stopped.ts";

const { db } = await testDatabase();
const failure = (statement: ReturnType<typeof sql>) => db.execute(statement).catch(oneLine);

test("a statement that failed is told by its reason, without its text and its values", async () => {
  const ending = sql`do $$ begin raise exception 'ended' using errcode = '57P01'; end $$`;
  expect(await failure(ending)).toBe("DATABASE_URL: the database cannot be reached (57P01).");
  const ours = await failure(sql`select 1 / ${0}::integer, ${"secret"}::text`);
  expect(ours).toMatch(/^error: division by zero\n/);
  expect(ours).not.toContain("secret");
});
