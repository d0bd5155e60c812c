import type pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";
import { ForgettingClient } from "./forgetting-client.ts";

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
