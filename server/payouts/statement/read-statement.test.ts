import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { PoolFormat } from "#core/mining/pool-formats.ts";
import { readStatement } from "./read-statement.ts";

const sample = (format: PoolFormat) =>
  readStatement(format, readFileSync(`tests/fixtures/pools/${format}.csv`));
const read = (text: string, format: PoolFormat = "other") =>
  readStatement(format, Buffer.from(text)).map(({ said, fault }) => fault ?? said);

test("reads a file of Braiins Pool: byte order mark, grouped numbers, units in a column, a day of nothing", () => {
  expect(sample("braiins").map(({ said }) => said)).toEqual([
    { day: "2026-11-18", units: 973_412n, deliveredGhs: 20_104_300n, txid: null },
    { day: "2026-11-19", units: 968_840n, deliveredGhs: 20_011_870n, txid: null },
    { day: "2026-11-20", units: 0n, deliveredGhs: 0n, txid: null },
  ]);
});

test("reads a file of F2Pool by the mining date, and leaves other coins out", () => {
  const txid = "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b";
  expect(sample("f2pool").map(({ line, said, fault }) => [line, fault ?? said])).toEqual([
    [2, { day: "2026-11-20", units: 484_210n, deliveredGhs: 10_050_000n, txid }],
    [3, { day: "2026-11-19", units: 483_077n, deliveredGhs: 10_012_400n, txid }],
    [4, "other-coin"],
    [5, { day: "2026-11-18", units: 481_501n, deliveredGhs: 9_980_000n, txid: null }],
  ]);
});

test("reads a file of Luxor, adding what the pool paid beside mining, and takes no total for a day", () => {
  expect(sample("luxor").map(({ said, fault }) => fault ?? said)).toEqual([
    { day: "2026-11-20", units: 243_221n, deliveredGhs: 5_031_200n, txid: null },
    { day: "2026-11-19", units: 241_078n, deliveredGhs: 4_982_000n, txid: null },
    "not-a-day",
  ]);
});

test.each([
  ["2026/11/20", "2026-11-20"],
  ["20 Nov 2026", "2026-11-20"],
  ["Nov 20, 2026 00:00 UTC", "2026-11-20"],
  ["2026-11-20T00:00:00Z", "2026-11-20"],
  ["2026-11-20T08:00:00+08:00", "2026-11-20"],
  ["1795132800", "2026-11-20"],
  ["2026-11-20 00:00:00 +0800", "not-a-utc-day"],
  ["2026-11-20 16:00", "not-a-utc-day"],
  ["11/12/2026", "not-a-day"],
  ["2026-02-30", "not-a-day"],
  ["2026-11-20 00:00 CST", "not-a-day"],
])("takes %j for %s", (text, day) => {
  const [line] = read(`Date;Hashrate (TH/s);Amount (BTC)\n"${text}";100;0,001\n`);
  expect(typeof line === "string" ? line : line?.day).toBe(day);
});

test.each([["Date (UTC+8)"], ["Date (Asia/Shanghai)"], ["Date (local time)"]])(
  "refuses a whole file whose days are those of another zone: %s",
  (head) => {
    expect(() => read(`${head},Hashrate (TH/s),Amount\n2026-11-20,1,1\n`)).toThrow(
      "payouts/other-time-zone",
    );
  },
);

test.each([
  [",", "1,234.5", '"0.00100000"', 1_234_500n, 100_000n],
  [",", '"1,234"', "0.001", 1_234_000n, 100_000n],
  [",", "1234", '"0,001"', 1_234_000n, 100_000n],
  [";", "1.234,5", "0,00123456", 1_234_500n, 123_456n],
  [";", "1 234,5", "1E-3", 1_234_500n, 100_000n],
  ["\t", "1'234.5", "0.001 BTC", 1_234_500n, 100_000n],
  [";", "1,234.5 GH/s", "1.23456789123", 1_234n, 123_456_789n],
])("reads numbers between %j: %s, %s", (delimiter, hashrate, amount, ghs, sats) => {
  const quoted =
    hashrate.includes(delimiter) && !hashrate.startsWith('"') ? `"${hashrate}"` : hashrate;
  const row = ["2026-11-20", quoted, amount].join(delimiter);
  const head = ["Date", "Hashrate (TH/s)", "Amount"].join(delimiter);
  expect(read(`${head}\r${row}\r`)).toMatchObject([{ deliveredGhs: ghs, units: sats }]);
});

test("reads satoshi where the head says so", () => {
  expect(read("Day,Hashrate (PH/s),Amount (sats)\n2026-11-20,1.5,123456")).toMatchObject([
    { units: 123_456n, deliveredGhs: 1_500_000n },
  ]);
});

test.each([
  ["2026-11-20,,0.001,", "not-a-hashrate"],
  ["2026-11-20,100 bananas,0.001,", "not-a-hashrate"],
  ["2026-11-20,100,0.001,", "hashrate-without-unit"],
  ["2026-11-20,100 TH/s,-0.001,", "not-an-amount"],
  ["2026-11-20,100 TH/s,,", "not-an-amount"],
  ["2026-11-20,100 TH/s,NaN,", "not-an-amount"],
  ["2026-11-20,100 TH/s,0.001,abc", "not-a-txid"],
  ["2026-11-20,100 TH/s,21000000.00000001,", "more-than-exists"],
  ["2026-11-20,1000001 EH/s,0.001,", "more-than-exists"],
  [`2026-11-20,1E99 TH/s,1E99,`, "more-than-exists"],
])("says of %j: %s", (row, fault) => {
  expect(read(`Date,Hashrate,Amount,TXID\n${row}`)).toEqual([fault]);
});

test("says where a quote is never closed, and reads nothing behind it", () => {
  const text =
    'Date,Hashrate,Amount\n2026-11-19,1 PH/s,0.001\n2026-11-20,"1 PH/s,0.001\n2026-11-21,1 PH/s,0.001\n';
  expect(readStatement("other", Buffer.from(text)).map(({ line, fault }) => [line, fault])).toEqual(
    [
      [2, null],
      [3, "cut-off"],
    ],
  );
});

test("counts neither of two lines about one day", () => {
  const row = "2026-11-20,1 PH/s,0.001";
  expect(read(`Date,Hashrate,Amount\n${row}\n${row}\n2026-11-19,1 PH/s,0.001`)).toMatchObject([
    "twice-in-file",
    "twice-in-file",
    { day: "2026-11-19" },
  ]);
});

test("finds the table below a title, and line ends within quotes", () => {
  const text =
    'Revenue report\r\n\r\n"Date","Hashrate (PH/s)","Note\r\nof the pool","Amount"\r\n2026-11-20,1,"a ""b""\nc",0.1';
  const [line] = readStatement("other", Buffer.from(text));
  expect(line).toMatchObject({ line: 5, said: { day: "2026-11-20", units: 10_000_000n } });
});

test("reads UTF-16, as spreadsheets save it", () => {
  const text = "\ufeffDate\tHashrate (PH/s)\tAmount\r\n2026-11-20\t1\t0.1\r\n";
  expect(readStatement("other", Buffer.from(text, "utf16le"))).toHaveLength(1);
});

test.each([
  ["a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]), "payouts/not-text"],
  ["words", Buffer.from("Dear operator, this month we paid you well."), "payouts/no-table"],
  ["a quote without end", Buffer.from('Date,"Hashrate,Amount\n1,2,3'), "payouts/no-table"],
  [
    "more lines than two thousand",
    Buffer.from(`Date,Hashrate,Amount\n${"2026-11-20,1 PH/s,1\n".repeat(2001)}`),
    "payouts/too-many-lines",
  ],
])("refuses %s", (_, content, code) => {
  expect(() => readStatement("other", content)).toThrow(code);
});
