import { expect, test } from "vitest";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestSlip } from "#tests/factories/deposit.ts";
import { uploadTestDocument, verifyingProduct } from "#tests/factories/kyc.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { requireFileKey } from "./platform/files/file-key.ts";
import { verifyFiles } from "./verify-files.ts";

const { db, owner } = await testDatabase();
const files = testFiles();
const holds = async () => (await verifyFiles(db, files)).every((check) => check.holds);

test("a file that is kept must be there; one that is on its way, given up or erased need not", async () => {
  const { id } = await createTestCustomer(db);
  const { slipId } = await createTestSlip({ db, files }, id);
  expect(await holds()).toBe(true);
  const broken = { ...files, put: () => Promise.reject(new Error("unplugged")) };
  await expect(createTestSlip({ db, files: broken }, id)).rejects.toThrow("unplugged");
  expect(await holds()).toBe(true);
  const { rows } = await owner.query("select file_key as key from deposit_slips where id = $1", [
    slipId,
  ]);
  await files.delete(rows[0].key);
  expect(await holds()).toBe(false);
  await owner.query("update deposit_slips set discarded_at = now() where id = $1", [slipId]);
  expect(await holds()).toBe(true);
});

test("an identity document is erased with its file, and its row stays", async () => {
  const { id } = await createTestCustomer(db);
  const product = verifyingProduct({ db, files });
  const documentId = await uploadTestDocument(product, id, "selfie");
  expect(await holds()).toBe(true);
  const { rows } = await owner.query("select file_key as key from kyc_documents where id = $1", [
    documentId,
  ]);
  await files.delete(rows[0].key);
  expect(await holds()).toBe(false);
  await owner.query(
    "update kyc_documents set wrapped_key = null, key_id = null, original_name = '', erasing_at = now(), erased_at = now() where id = $1",
    [documentId],
  );
  expect(await holds()).toBe(true);
});

test("a row whose key is none is named, as one whose file is missing", async () => {
  const { id } = await createTestCustomer(db);
  await creditTestDeposit(db, id, 1_000n);
  const strict = {
    get(key: string) {
      requireFileKey(key);
      return files.get(key);
    },
  };
  const [check] = await verifyFiles(db, strict);
  expect(check).toMatchObject({ holds: false });
  expect(check?.detail).toMatch(/^1 missing: slips\//);
});
