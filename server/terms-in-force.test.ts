import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { terms } from "#core/terms.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { dayAfter } from "#tests/factories/mining.ts";
import { createMiningSite, nightAfter } from "#tests/factories/mining-site.ts";
import { aRequest, createBitcoinPrice, createWithdrawer } from "#tests/factories/withdrawal.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { notifyOfInactivity } from "./mining/contracts/notify-of-inactivity.ts";
import { listClocks } from "./mining/grace-periods/list-clocks.ts";
import { verifyMining } from "./mining/verify-mining.ts";
import { readSchema } from "./platform/database/schema-text.ts";
import { termsInForce } from "./platform/database/terms-in-force.ts";
import { verifyBooks } from "./verify-books.ts";
import { requestWithdrawal } from "./withdrawals/request-withdrawal.ts";

interface Said {
  text: string;
  formMinimum: string;
  paper: string;
  statements: string;
}

async function sayTerms(others: Record<string, string>): Promise<Said> {
  const env = { ...process.env, OTHER_TERMS: JSON.stringify(others) };
  const { stdout } = await promisify(execFile)(process.execPath, ["tests/setup/say-terms.ts"], {
    env,
  });
  return JSON.parse(stdout) as Said;
}

test("two terms are changed in one place: text, form, contract and engine follow", async () => {
  const [today, changed] = await Promise.all([
    sayTerms({}),
    sayTerms({ minimumWithdrawalSats: "80_000n", terminationClauseHours: "96" }),
  ]);
  expect(today.text).toContain("0.0007 BTC");
  expect(today.text).toContain("72 hours");
  expect(changed.text).not.toMatch(/0\.0007 BTC|72 hours/);
  expect(changed.text).toContain("0.0008 BTC");
  expect(changed.text).toContain("96 hours");
  expect([today.formMinimum, changed.formMinimum]).toEqual(["70000", "80000"]);
  expect(changed.paper).not.toBe(today.paper);
  expect((await sayTerms({})).paper).toBe(today.paper);

  const { db, owner } = await testDatabase();
  const { rows } = await owner.query("select * from terms_in_force");
  await owner.query(today.statements);
  expect((await owner.query("select * from terms_in_force")).rows).toEqual(rows);
  await owner.query(changed.statements);

  const site = await createMiningSite(db, { firstDay: "2024-02-28" });
  const customer = await site.customer();
  await site.run("2024-02-28", 10n, 1_000n);
  const posted = nightAfter("2024-02-28");
  expect(await listClocks(db, { now: posted, customerId: customer.id })).toMatchObject([
    { startedAt: posted, expiresAt: new Date(posted.getTime() + 96 * 3_600_000) },
  ]);
  const at = new Date();
  await createBitcoinPrice(db, at);
  const withdrawer = await createWithdrawer(db, { now: at });
  const ask = (amount: bigint) => requestWithdrawal(db, aRequest(withdrawer, { amount }), at);
  // The page's own check has the terms of today; PostgreSQL has the others.
  await expect(ask(79_999n)).rejects.toMatchObject({
    cause: { constraint: "withdrawals_have_a_minimum" },
  });
  await ask(80_000n);
});

test("what was made under other terms than today's is not wrong for that", async () => {
  const { db, owner } = await testDatabase();
  const firstDay = "2024-02-28";
  const site = await createMiningSite(db, { firstDay });
  const [, , idle] = [
    await site.customer(),
    await site.customer({ coolingOff: true }),
    await createTestCustomer(db),
  ];
  await creditTestDeposit(db, idle.id, 1_000_000n, { now: new Date("2024-01-01T12:00:00Z") });
  for (let nth = 0; nth < 9; nth += 1) {
    const day = dayAfter(firstDay, nth);
    await site.run(day, 10n, 1_000n);
    await notifyOfInactivity(db, nightAfter(day));
  }
  const { rows } = await owner.query(
    "select fee_sats::int, (select count(*) > 0 from maintenance_clocks) as clocks from inactivity_fees",
  );
  expect(rows).toEqual([{ fee_sats: 685, clocks: true }]);
  const others = { ...terms, terminationClauseHours: 96, coolingOffHours: 48 };
  const fees = { inactivityFeeMinimumSats: 700n, inactivityFeePerMillion: 140n };
  const more = { inactivityNoticeDays: 14, minimumWithdrawalSats: 80_000n };
  await owner.query(termsInForce({ terms: { ...others, ...fees, ...more } }));
  const wrong = async () =>
    [...(await verifyBooks(db)), ...(await verifyMining(db))]
      .filter(({ holds }) => !holds)
      .map(({ claim }) => claim);
  expect(await wrong()).toEqual([]);
  // What no terms ever said is found as before.
  await owner.query("alter table inactivity_fees disable trigger all");
  await owner.query("update inactivity_fees set fee_sats = 690");
  expect(await wrong()).toContain(
    "every fee of an idle account is charged once, by the terms, after its notice, on what the balance was",
  );
});

test("a term stands nowhere else in SQL", () => {
  const numbers = /\b(70_?000|80_?000|137|685|72 hours|30 seconds|30 days)\b/;
  for (const { name, sql } of [...readSchema().tables, ...readSchema().functions]) {
    if (name === "terms_in_force") continue;
    const lines = sql.split("\n").filter((line) => numbers.test(line.replace(/--.*$/, "")));
    expect(lines, name).toEqual([]);
  }
});
