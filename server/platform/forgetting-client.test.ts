import { setImmediate } from "node:timers/promises";
import v8 from "node:v8";
import vm from "node:vm";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";
import { ForgettingClient } from "./forgetting-client.ts";

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc") as (how: { type: "minor" }) => void;
v8.setFlagsFromString("--no-expose-gc");

const database = await testDatabase();

/** pg takes a callback within a question too, which its types do not know. */
type Asked = pg.QueryConfig & { callback: (error: Error | null, result: pg.QueryResult) => void };

async function connected<T extends { connect(): Promise<unknown>; end(): Promise<void> }>(
  Client: new (config: pg.ClientConfig) => T,
): Promise<T> {
  const client = new Client({ connectionString: database.applicationUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** How many of ten answers are still in memory after V8 has thrown away, twice, what is young and reached by nothing. */
async function keptOf(ask: () => Promise<pg.QueryResult>): Promise<number> {
  const answers: WeakRef<object>[] = [];
  for (let asked = 0; asked < 10; asked += 1) answers.push(new WeakRef(await ask()));
  await setImmediate();
  collect({ type: "minor" });
  collect({ type: "minor" });
  return answers.filter((answer) => answer.deref() !== undefined).length;
}

test("an answer that was read is not kept until all memory is looked through, as pg's own client keeps it", async () => {
  const forgetting = await connected(ForgettingClient);
  const own = await connected(pg.Client);
  // The last answer may still be in the hands of who asked.
  expect(await keptOf(() => forgetting.query("select 1") as Promise<pg.QueryResult>)).toBeLessThan(
    3,
  );
  // V8 may have looked through all memory meanwhile.
  expect(await keptOf(() => own.query("select 1"))).toBeGreaterThan(4);
  const pooled = await database.db.$client.connect();
  onTestFinished(() => pooled.release());
  expect(await keptOf(() => pooled.query("select 1"))).toBeLessThan(3);
});

test("answers, values and refusals are those of pg's own client", async () => {
  const client = await connected(ForgettingClient);
  const asked = { text: "select $1::int + 1 as sum", values: [1], rowMode: "array" as const };
  expect(await client.query(asked)).toMatchObject({ rows: [[2]], rowCount: 1 });
  expect(await client.query("select $1::text as word", ["a"])).toMatchObject({
    rows: [{ word: "a" }],
  });
  const answered = new Promise((resolve, reject) =>
    client.query("select 3 as three", [], (error, { rows }) =>
      error ? reject(error) : resolve(rows),
    ),
  );
  expect(await answered).toEqual([{ three: 3 }]);
  const inside = new Promise((resolve) =>
    client.query({ text: "select 5 as five", callback: (_, { rows }) => resolve(rows) } as Asked),
  );
  expect(await inside).toEqual([{ five: 5 }]);
  const refused = client.query("select 1 / 0") as Promise<unknown>;
  await expect(refused).rejects.toMatchObject({
    code: "22012",
    stack: expect.stringContaining(import.meta.filename),
  });
  expect(await client.query("select 4 as four")).toMatchObject({ rows: [{ four: 4 }] });
});
