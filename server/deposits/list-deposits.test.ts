import { beforeAll, expect, test } from "vitest";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit, type TestDeposit } from "#tests/factories/deposit.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { findDeposit } from "./find-deposit.ts";
import { findDepositForReview } from "./find-deposit-for-review.ts";
import { depositTotals } from "./get-deposit-totals.ts";
import { type DepositListing, listDeposits } from "./list-deposits.ts";
import { listPendingDeposits } from "./list-pending-deposits.ts";

const { db } = await testDatabase();
const product = { db, files: testFiles() };
const ada = await createTestCustomer(db);
const bob = await createTestCustomer(db);
const grace = await createTestOperator(db);
const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute));

let btc: TestDeposit;
let eth: TestDeposit;
let usdt: TestDeposit;
let rejected: TestDeposit;

beforeAll(async () => {
  const customerId = ada.id;
  btc = await createTestDeposit(product, {
    customerId,
    claimedUsdCents: 125_050n,
    approvedBy: grace,
    usdCents: 125_000n,
    declaredOn: "2026-11-01",
    now: at(1),
  });
  eth = await createTestDeposit(product, {
    customerId,
    claimedUsdCents: 90_000n,
    method: "Ethereum",
    declaredOn: "2026-11-03",
    now: at(2),
  });
  usdt = await createTestDeposit(product, {
    customerId,
    claimedUsdCents: 1_000_000n,
    method: "USDT",
    declaredOn: "2026-11-02",
    now: at(3),
  });
  rejected = await createTestDeposit(product, {
    customerId,
    claimedUsdCents: 777n,
    rejectedBy: grace,
    declaredOn: "2026-11-04",
    now: at(4),
  });
  await createTestDeposit(product, { customerId: bob.id, claimedUsdCents: 55_500n, now: at(5) });
});

async function methods(listing: Partial<DepositListing>) {
  const { deposits } = await listDeposits(db, ada.id, { show: 10, ...listing });
  return deposits.map(({ method, status }) => (status === "Rejected" ? "rejected" : method));
}

test("lists a customer's own deposits, newest first, with the sum of what was not rejected", async () => {
  const list = await listDeposits(db, ada.id, { show: 10 });
  expect(list).toMatchObject({ total: 4, page: 1, totalUsdCents: 1_215_000n });
  expect(await methods({})).toEqual(["rejected", "Ethereum", "USDT", "Bitcoin"]);
});

test.each([
  ["amount", "asc", ["rejected", "Ethereum", "Bitcoin", "USDT"]],
  ["amount", "desc", ["USDT", "Bitcoin", "Ethereum", "rejected"]],
  ["date", "asc", ["Bitcoin", "USDT", "Ethereum", "rejected"]],
  ["status", "asc", ["Bitcoin", "Ethereum", "USDT", "rejected"]],
  ["method", "desc", ["USDT", "Ethereum", "rejected", "Bitcoin"]],
  ["id", "asc", ["Bitcoin", "Ethereum", "USDT", "rejected"]],
] as const)("sorts by %s %s", async (sort, direction, expected) => {
  expect(await methods({ sort, direction })).toEqual(expected);
});

test.each([
  ["ethereum", ["Ethereum"]],
  ["$1,250.00", ["Bitcoin"]],
  ["1250.50", ["Bitcoin"]],
  ["10000", ["USDT"]],
  ["approved", ["Bitcoin"]],
  ["PENDING", ["Ethereum", "USDT"]],
  ["2026-11-02", ["USDT"]],
  ["  usdt  ", ["USDT"]],
  ["%", []],
  ["_", []],
  ["' or 1=1 --", []],
  ["bitcoin\nethereum", []],
])("finds by %j", async (search, expected) => {
  expect(await methods({ search })).toEqual(expected);
});

test("finds by part of an id or a transaction id", async () => {
  expect(await methods({ search: eth.depositId.slice(-12) })).toEqual(["Ethereum"]);
  expect(await methods({ search: btc.txid.slice(10, 30).toUpperCase() })).toEqual(["Bitcoin"]);
});

test("sums all that match, not only the page", async () => {
  const page = await listDeposits(db, ada.id, { show: 1, page: 2, search: "pending" });
  expect(page).toMatchObject({ total: 2, totalUsdCents: 1_090_000n });
  expect(page.deposits).toHaveLength(1);
});

test("pages show each deposit once, and a page beyond the last is the first", async () => {
  const pages = await Promise.all(
    [1, 2, 3, 4].map((page) => listDeposits(db, ada.id, { show: 1, page })),
  );
  expect(
    new Set(pages.flatMap(({ deposits }) => deposits.map(({ depositId }) => depositId))).size,
  ).toBe(4);
  expect(await listDeposits(db, ada.id, { show: 10, page: 99 })).toMatchObject({
    page: 1,
    total: 4,
  });
});

test("totals say what waits for review", async () => {
  expect(await depositTotals(db, ada.id)).toEqual({
    totalUsdCents: 1_215_000n,
    pendingUsdCents: 1_090_000n,
    count: 3,
    pendingCount: 2,
  });
});

test("somebody else's deposit does not exist", async () => {
  expect(await findDeposit(db, bob.id, btc.depositId)).toBeNull();
  expect(await findDeposit(db, bob.id, "' or 1=1 --")).toBeNull();
  expect(await methods({ search: bob.id })).toEqual([]);
});

test("the queue is oldest first, with who waits, and goes on after the last one seen", async () => {
  const queue = await listPendingDeposits(db, { limit: 10 });
  expect(queue.map(({ depositId }) => depositId).slice(0, 2)).toEqual([
    eth.depositId,
    usdt.depositId,
  ]);
  expect(queue[0]).toMatchObject({
    customerEmail: ada.email,
    customerFirstName: "Ada",
    sameFileCount: 0,
  });
  const rest = await listPendingDeposits(db, { after: eth.depositId, limit: 10 });
  expect(rest.map(({ depositId }) => depositId)).toEqual(
    queue.slice(1).map(({ depositId }) => depositId),
  );
});

test("a reviewed deposit names its reviewer", async () => {
  expect(await findDepositForReview(db, rejected.depositId)).toMatchObject({
    status: "Rejected",
    reviewerId: grace.id,
    reviewerName: "Grace Hopper",
    customerLastName: "Lovelace",
  });
});
