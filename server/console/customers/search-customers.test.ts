import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createTestCustomer, nameAsBefore } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { findCustomerFacts } from "./find-customer-facts.ts";
import { searchCustomers } from "./search-customers.ts";

const { db, owner } = await testDatabase();
const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute));
const grace = await createTestCustomer(db, {
  firstName: "Grace",
  lastName: "Hopper",
  email: "grace@navy.example",
  now: at(0),
});
const ada = await createTestCustomer(db, {
  firstName: "Ada",
  lastName: "Lovelace",
  email: "ada@analytical.example",
  now: at(1),
});
const percent = await createTestCustomer(db, {
  email: "sure@example.org",
  now: at(1),
});
await nameAsBefore(owner, percent.id, { firstName: "100%", lastName: "Sure_Thing" });
await createTestOperator(db, { firstName: "Ada", lastName: "Staff", email: "ada@staff.example" });

async function find(text: string): Promise<string[]> {
  return (await searchCustomers(db, { text, limit: 10 })).map(({ name }) => name);
}

test.each([
  ["ada", ["Ada Lovelace"]],
  ["LOVE ada", ["Ada Lovelace"]],
  ["navy.example", ["Grace Hopper"]],
  ["hopper@", []],
  ["%", ["100% Sure_Thing"]],
  ["e_t", ["100% Sure_Thing"]],
  ["\\", []],
  ["' or 1=1 --", []],
])("searching %s finds %j", async (text, names) => {
  expect(await find(text)).toEqual(names);
});

test("an id finds its customer, also with spaces around it", async () => {
  expect(await find(`  ${grace.id.toUpperCase()} `)).toEqual(["Grace Hopper"]);
  expect(await find(randomUUID())).toEqual([]);
});

test("lists customers newest first, page by page, each once, also those of the same moment", async () => {
  const seen: string[] = [];
  let after: string | undefined;
  for (let page = 0; page < 3; page += 1) {
    const [customer] = await searchCustomers(db, { after, limit: 1 });
    seen.push(customer?.id ?? "");
    after = customer?.id;
  }
  expect(seen.slice(0, 2).sort()).toEqual([ada.id, percent.id].sort());
  expect(seen[2]).toBe(grace.id);
  expect(await searchCustomers(db, { after, limit: 1 })).toEqual([]);
});

test("knows a customer's facts and counts the sessions that are still open", async () => {
  for (const minutes of [-1, 0, 1]) {
    await owner.query(
      `insert into sessions (id, user_id, token_sha256, expires_at, proved_by, proved_at, created_at)
       values (gen_random_uuid(), $1, uuid_send(gen_random_uuid()), $2, 'password', $2, $2)`,
      [ada.id, at(30 + minutes)],
    );
  }
  expect(await findCustomerFacts(db, ada.id, at(30))).toEqual({
    id: ada.id,
    name: "Ada Lovelace",
    email: "ada@analytical.example",
    emailVerified: false,
    createdAt: at(1),
    acceptedTermsAt: at(1),
    sessions: 1,
    dashboardMessage: "",
    dashboardMessageExpiresAt: null,
  });
});

test("has no facts of strangers, of staff, or of what is no id", async () => {
  const [staff] = (await owner.query("select id from operators")).rows;
  for (const id of [randomUUID(), staff.id, "1", "' or 1=1"]) {
    expect(await findCustomerFacts(db, id, at(0))).toBeNull();
  }
});
