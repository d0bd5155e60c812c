import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { kindInWords } from "#app/account/transactions/ledger-words.ts";
import { readPeriod, type StatementPeriod } from "#core/payments/statement-period.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createMiningSite } from "#tests/factories/mining-site.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { aDeposit, aHold, aTransfer } from "#tests/factories/transfer.ts";
import { aRequest, createWithdrawer } from "#tests/factories/withdrawal.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { getBalances } from "../ledger/get-balances.ts";
import { listStatement } from "../ledger/list-statement.ts";
import { openLedgerMonths } from "../ledger/open-ledger-months.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
import { sealTransfers } from "../ledger/seal-transfers.ts";
import { sweepPrices } from "../markets/sweep-prices.ts";
import { requestWithdrawal } from "../withdrawals/request-withdrawal.ts";
import { findStatementByCode } from "./find-statement-by-code.ts";
import { findTaxYearStart } from "./find-tax-year-start.ts";
import { issueStatement } from "./issue-statement.ts";
import { findFirstStatementDay, openStatement } from "./read-statement.ts";
import { valueLines } from "./value-lines.ts";
import { writeCsv } from "./write-csv.ts";
import { writeJson } from "./write-json.ts";
import { valueInWords, writeStatementPdf } from "./write-statement-pdf.ts";

const { db, owner } = await testDatabase({ documents: false });
const now = new Date("2026-05-01T00:00:00Z");
const at = (moment: string) => ({
  day: moment.slice(0, 10),
  occurredAt: new Date(moment),
});
const usd = (dollars: number) => BigInt(dollars) * 100_000_000n;

function period(chosen: string): StatementPeriod {
  const read = readPeriod(chosen, { month: 4, day: 6 });
  if (!read) throw new Error(`${chosen} is no period`);
  return read;
}

async function text(parts: AsyncGenerator<string>): Promise<string> {
  let whole = "";
  for await (const part of parts) whole += part;
  return whole;
}

/** A customer with entries in March, April and at both edges of April, of two coins. */
async function customerWithHistory() {
  const { id } = await createTestCustomer(db);
  await postTransfer(db, aDeposit(id, 100_000_000n, at("2026-03-31T23:59:59.999Z")));
  await postTransfer(
    db,
    aDeposit(id, 5n * 10n ** 17n, { ...at("2026-04-01T00:00:00Z"), asset: "ETH" }),
  );
  await postTransfer(db, aHold(id, 30_000_000n, at("2026-04-10T12:04:00Z")));
  const fee = { available: -1_000n, conversion: 1_000n };
  const memo = '=HYPERLINK("http://example.com")';
  await postTransfer(
    db,
    aTransfer({
      kind: "conversion",
      ownerId: id,
      moves: fee,
      memo,
      ...at("2026-04-30T23:59:59Z"),
    }),
  );
  await postTransfer(db, aDeposit(id, 7n, at("2026-05-01T00:00:00Z")));
  return id;
}

test("a month has exactly its UTC days, opens where the one before closed, and adds up to the atom", async () => {
  const id = await customerWithHistory();
  const march = await issueStatement(db, { customerId: id, period: period("month:2026-03"), now });
  const april = await issueStatement(db, { customerId: id, period: period("month:2026-04"), now });
  const may = await issueStatement(db, { customerId: id, period: period("month:2026-05"), now });
  expect(march.totals.coins.BTC).toMatchObject({ openingUnits: 0n, closingUnits: 100_000_000n });
  // What was only put aside did neither come in nor go out.
  expect(april.totals.coins.BTC).toEqual({
    openingUnits: 100_000_000n,
    inUnits: 0n,
    outUnits: 1_000n,
    closingUnits: 99_999_000n,
  });
  expect(april.totals.coins.ETH).toMatchObject({ openingUnits: 0n, inUnits: 5n * 10n ** 17n });
  expect(april.entries.map(({ kind }) => kind)).toEqual(["deposit", "hold", "hold", "conversion"]);
  expect(april.entries.map(({ coinBalanceAfter }) => coinBalanceAfter)).toEqual([
    ...[5n * 10n ** 17n, 100_000_000n, 100_000_000n, 99_999_000n],
  ]);
  expect(april.totals.kinds.map(({ kind, units }) => [kind, units])).toEqual([
    ["conversion", -1_000n],
    ["deposit", 5n * 10n ** 17n],
  ]);
  const { BTC } = await getBalances(db, id);
  expect(may.totals.coins.BTC.closingUnits).toBe(BTC.available + BTC.held);
});

test("a value is that of a price stored for good, the same after prices were thinned out", async () => {
  const { id } = await createTestCustomer(db);
  const price = (moment: string, dollars: number) =>
    createTestPrice(db, { asset: "BTC", usdE8: usd(dollars), observedAt: new Date(moment) });
  // The first of its ten minutes; a later one, which the sweep takes; one that nobody could know then.
  await price("2026-01-10T10:01:00Z", 50_000);
  await price("2026-01-10T10:02:00Z", 51_000);
  await price("2026-01-10T10:12:00Z", 60_000);
  await owner.query(`insert into market_candles (asset, day, open_usd_e8, high_usd_e8, low_usd_e8, close_usd_e8, sources,
    is_final, simulated, updated_at) values ('BTC', '2026-01-11', 1, 7000000000000, 1, 7000000000000, '{kraken}', true, false, now())`);
  for (const moment of ["10T10:05:00", "10T10:11:00", "11T15:00:00", "12T15:00:00"]) {
    await postTransfer(db, aDeposit(id, 1_000_000n, at(`2026-01-${moment}Z`)));
  }
  const seen = async () => {
    const { lines } = await listStatement(db, id, { limit: 10, oldestFirst: true });
    return (await valueLines(db, id, lines)).map(
      ({ value }) => value && [value.basis, value.usdCents],
    );
  };
  const values = [["moment", 50_000n], ["moment", 50_000n], ["close", 70_000n], null];
  expect(await seen()).toEqual(values);
  await sweepPrices(db, new Date("2026-01-15T00:00:00Z"));
  const left = await owner.query("select count(*) from market_prices where usd_e8 = $1", [
    `${usd(51_000)}`,
  ]);
  expect(left.rows[0].count).toBe("0");
  expect(await seen()).toEqual(values);
});

test("a deposit and a requested withdrawal are worth what their own pages say", async () => {
  const moment = new Date("2026-01-20T10:06:00Z");
  const price = (at: string, dollars: number) =>
    createTestPrice(db, { asset: "BTC", usdE8: usd(dollars), observedAt: new Date(at) });
  // The first of the ten minutes, and the one that was fresh.
  await price("2026-01-20T10:00:01Z", 50_000);
  const ada = await createWithdrawer(db, { now: moment });
  const approvedBy = await createTestOperator(db);
  await price("2026-01-20T10:05:59Z", 52_000);
  const deposited = { customerId: ada.id, approvedBy, quantityUnits: 1_000_000n, now: moment };
  await createTestDeposit({ db, files: testFiles() }, deposited);
  await requestWithdrawal(db, aRequest(ada, { amount: 500_000n }), moment);
  const { lines } = await listStatement(db, ada.id, { limit: 10 });
  const values = (await valueLines(db, ada.id, lines)).map(({ kind, value }) => [
    kind,
    value?.basis,
    value?.usdE8,
  ]);
  expect(values).toContainEqual(["deposit", "deposit", usd(52_000)]);
  expect(values).toContainEqual(["withdrawal-request", "withdrawal", usd(52_000)]);
});

test("a mining day is worth what its receipt says, and leads to it", async () => {
  const day = "2026-02-10";
  const site = await createMiningSite(db, { firstDay: day });
  const { id, contractId } = await site.customer();
  await site.run(day, 50_000n, 1_000n);
  const { lines } = await listStatement(db, id, { limit: 10, oldestFirst: true });
  const [credit] = (await valueLines(db, id, lines)).filter(({ kind }) => kind === "mining-credit");
  expect(credit?.value?.basis).toBe("mining-day");
  expect(credit?.document).toEqual({ of: "receipt", day, contractId });
});

test("spreadsheets read numbers as numbers, run nothing, and sum to the balance; JSON says the same", async () => {
  const id = await customerWithHistory();
  const csv = await text(writeCsv(await openStatement(db, id, null)));
  const [head, ...rows] = csv.replace("\uFEFF", "").trimEnd().split("\r\n");
  expect(
    head?.startsWith("utc_date,utc_time,kind,coin,account,amount,coin_balance_after,usd_value"),
  ).toBe(true);
  expect(rows[0]).toContain("2026-03-31,23:59:59,deposit,BTC,available,1.00000000,1.00000000,");
  expect(csv).toContain(`"'=HYPERLINK(""http://example.com"")"`);
  const sum = rows
    .map((row) => row.split(","))
    .filter((cells) => cells[3] === "BTC")
    .reduce((total, cells) => total + Math.round(Number(cells[5]) * 1e8), 0);
  const { BTC } = await getBalances(db, id);
  expect(BigInt(sum)).toBe(BTC.available + BTC.held);
  const about = { siteName: "Assay", customerId: id, period: period("month:2026-04"), madeAt: now };
  const json = JSON.parse(await text(writeJson(await openStatement(db, id, about.period), about)));
  expect(json).toMatchObject({ from: "2026-04-01", through: "2026-04-30", entryCount: 4 });
  expect(json.coins.BTC).toEqual({
    opening: "1.00000000",
    in: "0.00000000",
    out: "0.00001000",
    closing: "0.99999000",
  });
  expect(json.entries.at(-1)).toMatchObject({
    amount: "-0.00001000",
    coinBalanceAfter: "0.99999000",
  });
});

test("a printed statement is one however often it is asked for, and its code tells figures, no name", async () => {
  const id = await customerWithHistory();
  const wish = { customerId: id, period: period("month:2026-04"), now };
  const issued = await Promise.all(Array.from({ length: 4 }, () => issueStatement(db, wish)));
  const again = await issueStatement(db, { ...wish, now: new Date("2026-06-01T00:00:00Z") });
  const [first] = issued;
  expect(new Set([...issued, again].map(({ code }) => code)).size).toBe(1);
  expect(again.issuedAt).toEqual(now);
  const customer = { id, firstName: "Ada", lastName: "李", email: "ada@example.com" };
  const parties = {
    siteName: "Assay",
    appUrl: "http://127.0.0.1:3000",
    operator: null,
    customer,
    kindWords: kindInWords,
  };
  const paper = await writeStatementPdf(again, parties);
  expect(paper.subarray(0, 5).toString()).toBe("%PDF-");
  expect(paper.equals(await writeStatementPdf(again, parties))).toBe(true);

  expect(valueInWords({ transfers: 1, usdCents: 0n, withoutValue: 1 })).toBe("no price");
  expect(valueInWords({ transfers: 2, usdCents: 1n, withoutValue: 1 })).toBe(
    "$0.01 (1 without a price)",
  );
  expect(valueInWords({ transfers: 1, usdCents: 0n, withoutValue: 0 })).toBe("$0.00");

  const code = first?.code ?? "";
  const checked = await findStatementByCode(db, code.toLowerCase().replace(/(.{5})/g, "$1-"));
  expect(checked).toMatchObject({ sha256: first?.totals.sha256, entries: 4, period: wish.period });
  expect(checked?.coins.find(({ asset }) => asset === "BTC")?.closingUnits).toBe(99_999_000n);
  expect(JSON.stringify(checked, (_, value) => String(value))).not.toContain(id);
  expect(
    await findStatementByCode(db, `${code.slice(0, -1)}${code.endsWith("A") ? "B" : "A"}`),
  ).toBeNull();
  expect(await findStatementByCode(db, "' or true --\0")).toBeNull();

  // An entry of the month that comes later makes another statement; the first can still be checked.
  await postTransfer(db, aDeposit(id, 1n, at("2026-04-15T00:00:00Z")));
  const other = await issueStatement(db, wish);
  expect(other.code).not.toBe(code);
  expect(await findStatementByCode(db, code)).toEqual(checked);
});

test("a tax year begins where its customer lets it begin, and is remembered", async () => {
  const id = await customerWithHistory();
  expect(await findTaxYearStart(db, id)).toBeNull();
  const before = await issueStatement(db, { customerId: id, period: period("tax-year:2025"), now });
  const after = await issueStatement(db, { customerId: id, period: period("tax-year:2026"), now });
  expect(before.period).toMatchObject({ fromDay: "2025-04-06", throughDay: "2026-04-05" });
  expect([before.totals.entries, after.totals.entries]).toEqual([2, 4]);
  expect(await findTaxYearStart(db, id)).toEqual({ month: 4, day: 6 });
});

test("what was issued cannot be changed, nor made not to add up", async () => {
  const id = await customerWithHistory();
  const { code } = await issueStatement(db, { customerId: id, period: period("year:2026"), now });
  await expect(owner.query("update issued_statements set entries = 1")).rejects.toThrow(
    "never rewritten",
  );
  await expect(owner.query("delete from issued_statement_coins")).rejects.toThrow(
    "never rewritten",
  );
  const statement = randomUUID();
  await expect(
    owner.query(
      `with made as (insert into issued_statements select $1, reverse(code), customer_id, 'month', '2026-04-01', '2026-04-30', 0,
         sha256, issued_at from issued_statements where code = $2 returning id)
       insert into issued_statement_coins select id, 'BTC', 1, 0, 0, 2 from made`,
      [statement, code],
    ),
  ).rejects.toThrow("statements_add_up");
});

test("a statement begins with what is here, and says so where older months were taken out", async () => {
  const own = await testDatabase({ documents: false });
  const id = randomUUID();
  await postTransfer(own.db, aDeposit(id, 700n, at("2025-01-31T12:00:00Z")));
  expect(await findFirstStatementDay(own.db, id)).toBeNull();
  await openLedgerMonths(own.db, "2025-02-01");
  await openLedgerMonths(own.db, "2025-03-01");
  const isSealed = async () => {
    await postTransfer(own.db, aDeposit(randomUUID(), 1n));
    await sealTransfers(own.db, new Date(), { limit: 5 });
    return own.owner.query("call detach_ledger_month('2009-01-01')").then(
      () => "taken out",
      () => "not yet",
    );
  };
  await expect.poll(isSealed, { interval: 100 }).toBe("taken out");
  await postTransfer(own.db, aDeposit(id, 5n, { occurredAt: new Date("2025-03-02T00:00:00Z") }));

  expect(await findFirstStatementDay(own.db, id)).toBe("2025-02-01");
  expect(await findFirstStatementDay(own.db, randomUUID())).toBeNull();
  await expect(openStatement(own.db, id, period("year:2025"))).rejects.toThrow(
    "statements/taken-out",
  );
  const { opening } = await openStatement(own.db, id, period("month:2025-03"));
  expect(opening.BTC).toBe(700n);
  const whole = JSON.parse(
    await text(
      writeJson(await openStatement(own.db, id, null), {
        siteName: "Assay",
        customerId: id,
        period: null,
        madeAt: now,
      }),
    ),
  );
  expect(whole.coins.BTC).toMatchObject({ opening: "0.00000700", closing: "0.00000705" });
});
