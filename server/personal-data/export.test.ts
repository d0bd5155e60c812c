import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { changeSettings } from "#server/identity/settings/change-settings.ts";
import { markOf } from "#server/identity/settings/settings.ts";
import { createTestCustomer, nameAsBefore, testSite } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestThread } from "#tests/factories/message.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { askExport } from "./ask-export.ts";
import { makeExport } from "./make-export.ts";
import { readExport } from "./read-export.ts";
import { sweepExports } from "./sweep-exports.ts";

const { db, owner } = await testDatabase();
const files = testFiles();
const product = { db, files, config: testSite };
const browser = { ipAddress: "192.0.2.7", userAgent: "Test browser" };
const now = new Date("2026-11-21T10:00:00Z");
const later = (days: number) => new Date(now.getTime() + days * 86_400_000);

const olga = await createTestOperator(db);

async function exported(customerId: string) {
  const { exportId } = await askExport(db, { customerId, browser, now });
  await makeExport(product, exportId, now);
  const copy = await readExport(product, { exportId, customerId, browser, now });
  if (!copy) throw new Error("the copy is ready");
  const parts = unzipSync(copy.bytes);
  const text = (name: string) => strFromU8(parts[name] ?? new Uint8Array());
  return { exportId, parts, text, data: JSON.parse(text("data.json")) };
}

test("holds what is kept of a person, of nobody else, and no secret", async () => {
  const ada = await createTestCustomer(db);
  await nameAsBefore(owner, ada.id, { firstName: "=Ada()", lastName: "Lovelace" });
  const bob = await createTestCustomer(db, { firstName: "Bob" });
  const deposit = await createTestDeposit(product, { customerId: ada.id, approvedBy: olga });
  const other = await createTestDeposit(product, { customerId: bob.id, approvedBy: olga });
  await createTestThread(db, { email: ada.email, customerId: ada.id, message: "My words" });
  await changeSettings(db, {
    customerId: ada.id,
    part: "phone-changed",
    values: { phone: "+442079460958" },
    seen: markOf({ phone: null }),
    browser,
    now,
  });
  const { data, text, parts } = await exported(ada.id);
  const { tables } = data;
  expect(tables.users).toMatchObject([{ email: ada.email, first_name: "=Ada()" }]);
  expect(tables.customer_settings).toMatchObject([{ phone: "+442079460958" }]);
  expect(tables.deposits).toMatchObject([{ id: deposit.depositId, txid: deposit.txid }]);
  expect(tables.ledger_entries.length).toBeGreaterThan(0);
  expect(tables.contact_messages).toMatchObject([{ body: "My words" }]);
  expect(tables.audit_log).toMatchObject([{ act: "deposits/approve" }]);
  expect(text("csv/deposits.csv")).toContain(deposit.txid);
  // A spreadsheet would run it.
  expect(text("csv/users.csv")).toContain("'=Ada()");
  expect(text("csv/customer_settings.csv")).toContain("'+442079460958");
  expect(text("README.txt")).toContain("deposits (1)");
  const [entry] = JSON.parse(text("statement.json")).entries;
  expect(entry).toMatchObject({ kind: "deposit", document: `deposit:${deposit.depositId}` });
  expect(text("statement.csv")).toContain(entry.transferId);
  const everything = Object.keys(parts).map(text).join("\n");
  for (const secret of [bob.email, other.depositId, "$argon2id", "token=", olga.email]) {
    expect(everything.includes(secret), secret).toBe(false);
  }
});

test("is encrypted where it lies, and opens for its owner alone, for seven days", async () => {
  const ada = await createTestCustomer(db);
  const bob = await createTestCustomer(db);
  const { exportId } = await exported(ada.id);
  const { rows } = await owner.query("select file_key from data_exports where id = $1", [exportId]);
  const sealed = await files.get(rows[0].file_key);
  expect(Buffer.from(sealed ?? []).includes("data.json")).toBe(false);
  const read = (customerId: string, at: Date) =>
    readExport(product, { exportId, customerId, browser, now: at });
  expect(await read(bob.id, now)).toBeNull();
  expect(await read(ada.id, later(6.9))).not.toBeNull();
  expect(await read(ada.id, later(7))).toBeNull();
  await sweepExports(product, later(7));
  expect(await files.get(rows[0].file_key)).toBeNull();
  expect(await read(ada.id, now)).toBeNull();
  const kept = await owner.query("select * from data_exports where id = $1", [exportId]);
  expect(kept.rows[0]).toMatchObject({ state: "ended", secret: null, file_key: null });
});

test("is made one at a time, and finished by whoever comes after a worker that died", async () => {
  const ada = await createTestCustomer(db);
  const ask = (at: Date) => askExport(db, { customerId: ada.id, browser, now: at });
  const asked = await Promise.all(Array.from({ length: 8 }, () => ask(now)));
  const [{ exportId }] = asked as [{ exportId: string }];
  expect(new Set(asked.map((each) => each.exportId)).size).toBe(1);
  // It died after the file was there and before the row said so.
  const dying = { ...product, files: { ...files, put: () => Promise.reject(new Error("killed")) } };
  await expect(makeExport(dying, exportId, now)).rejects.toThrow("killed");
  await Promise.all([makeExport(product, exportId, now), makeExport(product, exportId, now)]);
  await makeExport(product, exportId, now);
  expect(await readExport(product, { exportId, customerId: ada.id, browser, now })).not.toBeNull();
  const mails = await owner.query("select 1 from mail_keys where key = $1", [
    `data-export:${exportId}`,
  ]);
  expect(mails.rowCount).toBe(1);
});
