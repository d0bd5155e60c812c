import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";
import { findTransfer } from "./queries.ts";

const { db } = await testDatabase();

test("an address that is no id, or nobody's, finds nothing", async () => {
  expect(await findTransfer(db, randomUUID(), "x' or true")).toBe(null);
  expect(await findTransfer(db, randomUUID(), randomUUID())).toBe(null);
});
