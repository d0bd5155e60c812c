import { expect, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";
import { openDatabase } from "../database.ts";
import { openLog } from "../log/log.ts";
import { sql } from "../sql.ts";

const { applicationUrl } = await testDatabase({ documents: false });

async function withOneConnection(work: (db: ReturnType<typeof openDatabase>) => Promise<void>) {
  const db = openDatabase(applicationUrl, openLog("silent"), { connections: 1 });
  try {
    await work(db);
  } finally {
    await db.$client.end();
  }
}

test("a refusal keeps its connection, unless it leaves a transaction open", () =>
  withOneConnection(async (db) => {
    const pid = async () =>
      (await db.execute(sql`select pg_backend_pid() as pid`)).rows[0]?.["pid"];
    const first = await pid();
    await expect(db.execute(sql`select 1 / 0`)).rejects.toMatchObject({ cause: { code: "22012" } });
    expect(await pid()).toBe(first);
    const refused = db.transaction((tx) => tx.execute(sql`select 1 / 0`));
    await expect(refused).rejects.toMatchObject({ cause: { code: "22012" } });
    expect(await pid()).toBe(first);
    // A refused statement that had begun a transaction would leave the next one in it.
    await expect(db.$client.query("begin; select 1 / 0")).rejects.toMatchObject({ code: "22012" });
    expect(await pid()).not.toBe(first);
  }));

test("a connection that PostgreSQL ended is replaced", () =>
  withOneConnection(async (db) => {
    const end = db.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
    await expect(end).rejects.toThrow();
    expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
  }));
