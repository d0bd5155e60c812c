import { expect, test } from "vitest";
import { sql } from "#server/platform/sql.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import type { Db } from "../database.ts";
import { pipelineReads } from "./pipeline-reads.ts";

const { db } = await testDatabase();

const backend = async (one: Db) =>
  (await one.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)).rows[0]?.pid;

test("what is asked in one turn, by one call or by several, is asked on one connection", async () => {
  const [[first, second], third] = await Promise.all([
    pipelineReads(db, (one) => Promise.all([backend(one), backend(one)])),
    pipelineReads(db, backend),
  ]);
  expect(new Set([first, second, third]).size).toBe(1);
  const apart = await Promise.all([backend(db), backend(db)]);
  expect(new Set(apart).size).toBe(2);
});

test("each answer comes to its question", async () => {
  const numbers = Array.from({ length: 50 }, (_, n) => n);
  const answers = await pipelineReads(db, (one) =>
    Promise.all(
      numbers.map(async (n) => {
        const { rows } = await one.execute<{ n: number }>(sql`select ${n}::int as n`);
        return rows[0]?.n;
      }),
    ),
  );
  expect(answers).toEqual(numbers);
});

test("a question that fails leaves the others their answers, and the pool its connection", async () => {
  const [failed, answered] = await Promise.allSettled([
    pipelineReads(db, (one) => one.execute(sql`select 1 / 0`)),
    pipelineReads(db, backend),
  ]);
  expect(failed.status).toBe("rejected");
  expect(answered).toMatchObject({ status: "fulfilled", value: expect.any(Number) });
  const { totalCount, idleCount } = db.$client;
  expect(idleCount).toBe(totalCount);
});

test("one who has no connection to ask on is told so, and the next may ask", async () => {
  const { connect } = db.$client;
  db.$client.connect = () => Promise.reject(new Error("no connection"));
  await expect(pipelineReads(db, backend)).rejects.toThrow("no connection");
  db.$client.connect = connect;
  expect(await pipelineReads(db, backend)).toEqual(expect.any(Number));
});
