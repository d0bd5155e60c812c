import { expect, test } from "vitest";
import { countWork } from "#tests/factories/count-work.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { searchCustomers } from "../customers/search-customers.ts";
import { findNextWaiting } from "./find-next-waiting.ts";
import { listDecidedDeposits } from "./list-decided-deposits.ts";

const { db, owner } = await testDatabase();
const product = { db, files: testFiles() };
const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute));
const grace = await createTestOperator(db, { firstName: "Grace", lastName: "Hopper" });
const ada = await createTestCustomer(db);
const bob = await createTestCustomer(db, { firstName: "Bob", lastName: "Builder" });

async function deposit(customer: typeof ada, minute: number, review = {}) {
  const wanted = { customerId: customer.id, now: at(minute), ...review };
  return (await createTestDeposit(product, wanted)).depositId;
}

const young = await deposit(ada, 20);
const old = await deposit(ada, 1);
const approved = [
  await deposit(ada, 2, { approvedBy: grace, usdCents: 10_000n, claimedUsdCents: 12_000n }),
  await deposit(bob, 3, { approvedBy: grace }),
  await deposit(bob, 3, { approvedBy: grace }),
];
const rejected = await deposit(bob, 4, { rejectedBy: grace, reason: "Nothing arrived." });

test("the next case is the one that waits longest, never the one just decided", async () => {
  expect(await findNextWaiting(db, young, grace.id)).toBe(old);
  expect(await findNextWaiting(db, old, grace.id)).toBe(young);
  expect(await findNextWaiting(db, rejected, grace.id)).toBe(old);
});

test("decided deposits come newest decision first, page by page, each once", async () => {
  const seen: string[] = [];
  let after: string | undefined;
  for (;;) {
    const [next] = await listDecidedDeposits(db, { state: "approved", after, limit: 1 });
    if (!next) break;
    seen.push(next.depositId);
    after = next.depositId;
  }
  expect(seen).toHaveLength(3);
  expect(new Set(seen)).toEqual(new Set(approved));
  expect(seen.at(-1)).toBe(approved[0]);
});

test("a decided deposit says what came of it, by whom", async () => {
  const [refused] = await listDecidedDeposits(db, { state: "rejected", limit: 10 });
  expect(refused).toMatchObject({
    depositId: rejected,
    customerName: "Bob Builder",
    quantityUnits: null,
    rejectionReason: "Nothing arrived.",
    reviewerName: "Grace Hopper",
    reviewedAt: at(4),
  });
});

test("customers are listed with what waits of theirs", async () => {
  const found = await searchCustomers(db, { limit: 10 });
  const waits = new Map(found.map(({ id, depositsWaiting }) => [id, depositsWaiting]));
  expect(waits.get(ada.id)).toBe(2);
  expect(waits.get(bob.id)).toBe(0);
});

test("counts what waits for somebody, and the mails that failed", async () => {
  await owner.query(
    "update mails set state = 'failed' where id = (select id from mails where user_id = $1 limit 1)",
    [bob.id],
  );
  const { deposits, mails, ...others } = await countWork(db, at(9));
  expect({ deposits, mails }).toEqual({ deposits: 2, mails: 1 });
  expect(new Set(Object.values(others))).toEqual(new Set([0]));
});
