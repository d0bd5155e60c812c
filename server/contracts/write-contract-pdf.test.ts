import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  paperContract as contract,
  paperParties as parties,
} from "#tests/factories/paper-contract.ts";
import type { Contract } from "./find-contract.ts";
import { writeContractPdf } from "./write-contract-pdf.ts";

const { boughtAt: at } = contract;
const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

test("a contract on paper is the same byte for byte whenever it is asked for, also after it has ended", async () => {
  const first = await writeContractPdf(contract, [], parties);
  expect(first.subarray(0, 5).toString()).toBe("%PDF-");
  const ended = {
    ...contract,
    lastDay: "2026-12-21",
    endReason: "served",
    endedAt: at,
  } as Contract;
  const later = [
    {
      effectiveFrom: "2026-12-10",
      usdMicros: 50_000n,
      reason: "Power",
      announcedAt: new Date("2026-12-01T00:00:00Z"),
    },
  ];
  expect(hash(await writeContractPdf(ended, later, parties))).toBe(hash(first));
});

test("another contract is another paper, and a name in letters that the fonts lack does not break it", async () => {
  const first = await writeContractPdf(contract, [], parties);
  const other = await writeContractPdf({ ...contract, quantity: 4 }, [], parties);
  expect(hash(other)).not.toBe(hash(first));
  const customer = { firstName: "李", lastName: "小龙", email: "lee@example.com" };
  const long = { ...contract, planName: "A plan with a name of words ".repeat(3).trim() };
  const paper = await writeContractPdf(long, [], { ...parties, customer });
  expect(paper.length).toBeGreaterThan(5_000);
});
