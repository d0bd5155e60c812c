import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Refusal } from "#core/refusal.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit, createTestSlip, uniquePicture } from "#tests/factories/deposit.ts";
import { receiptPdf, receiptPicture } from "#tests/factories/slip-files.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { displayName } from "../../platform/files/display-name.ts";
import { fileResponse } from "../../platform/files/file-response.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { listPendingDeposits } from "../list-pending-deposits.ts";
import { submitDeposit } from "../submit-deposit.ts";
import { findDraftSlip } from "./find-draft-slip.ts";
import { listDepositsWithSameSlip } from "./list-deposits-with-same-slip.ts";
import { readSlip } from "./read-slip.ts";
import { sweepSlips } from "./sweep-slips.ts";

const { db, owner } = await testDatabase();
const files = testFiles();
const product = { db, files };
const now = new Date("2026-11-21T12:00:00Z");
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

function storedFiles(): string[] {
  return readdirSync(files.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

async function rowsOf(customerId: string) {
  const { rows } = await owner.query(
    "select * from deposit_slips where customer_id = $1 order by id",
    [customerId],
  );
  return rows;
}

function submission(customerId: string, slipId: string) {
  const claim = { claimedUsdCents: 5_000n, method: "Bitcoin" } as const;
  return { customerId, slipId, submissionKey: randomUUID(), ...claim };
}

describe("keeping a slip", () => {
  test("stores it cleaned, under a key that says nothing, as a draft of its owner alone", async () => {
    const { id } = await createTestCustomer(db);
    const draft = await createTestSlip(product, id, { name: "../../etc/My slip.png", now });
    expect(draft).toMatchObject({ name: "My slip.jpg", mediaType: "image/jpeg" });
    const [row] = await rowsOf(id);
    expect(row.file_key).toMatch(/^slips\/[0-9a-f]{2}\/[0-9a-f]{32}$/);
    expect(storedFiles()).toContain(row.file_key.split("/").at(-1));
    expect(await findDraftSlip(db, id, draft.slipId)).toEqual(draft);
    expect(await findDraftSlip(db, (await createTestCustomer(db)).id, draft.slipId)).toBeNull();
  });

  test("leaves neither row nor file after a sweep when the disk is full, and says so", async () => {
    const { id } = await createTestCustomer(db);
    await sweepSlips({ db, files }, new Date());
    const before = storedFiles();
    const full: FileStore = {
      ...files,
      put: () => Promise.reject(new Refusal("files/storage-full")),
    };
    await expect(createTestSlip({ db, files: full }, id)).rejects.toMatchObject({
      code: "files/storage-full",
    });
    await sweepSlips({ db, files }, new Date());
    expect(await rowsOf(id)).toEqual([]);
    expect(storedFiles()).toEqual(before);
  });

  test("leaves neither when the store took the file and its answer was lost", async () => {
    const { id } = await createTestCustomer(db);
    await sweepSlips({ db, files }, new Date());
    const before = storedFiles();
    const lost: FileStore = {
      ...files,
      put: async (...file) => {
        await files.put(...file);
        throw new Error("unplugged");
      },
    };
    await expect(createTestSlip({ db, files: lost }, id)).rejects.toThrow("unplugged");
    expect(storedFiles()).not.toEqual(before);
    await sweepSlips({ db, files }, new Date());
    expect(await rowsOf(id)).toEqual([]);
    expect(storedFiles()).toEqual(before);
  });

  test("leaves nothing of a file that is refused", async () => {
    const { id } = await createTestCustomer(db);
    const before = storedFiles();
    await expect(
      createTestSlip(product, id, { bytes: Buffer.from("<svg/>") }),
    ).rejects.toMatchObject({ code: "files/unknown-type" });
    expect(await rowsOf(id)).toEqual([]);
    expect(storedFiles()).toEqual(before);
  });

  test("gives up the oldest draft beyond ten", async () => {
    const { id } = await createTestCustomer(db);
    const bytes = await uniquePicture();
    const drafts = [];
    for (let at = 0; at < 11; at += 1) {
      drafts.push(await createTestSlip(product, id, { bytes, now: new Date(now.getTime() + at) }));
    }
    const [oldest, second] = drafts;
    expect(await findDraftSlip(db, id, oldest?.slipId ?? "")).toBeNull();
    expect(await findDraftSlip(db, id, second?.slipId ?? "")).not.toBeNull();
  });

  test("stops somebody who uploads without end", async () => {
    const { id } = await createTestCustomer(db);
    const bytes = Buffer.from("not a slip");
    const tries = Array.from({ length: 61 }, () =>
      createTestSlip(product, id, { bytes, now }).catch(({ code }) => code),
    );
    const codes = await Promise.all(tries);
    expect(codes.filter((code) => code === "platform/too-many-attempts")).toHaveLength(1);
  });
});

describe("sweeping", () => {
  test("deletes a day-old draft with its file, and keeps newer drafts and submitted slips", async () => {
    const { id } = await createTestCustomer(db);
    const old = await createTestSlip(product, id, { now });
    const fresh = await createTestSlip(product, id, { now: later(2) });
    const used = await createTestSlip(product, id, { now });
    await submitDeposit(db, submission(id, used.slipId), now);
    const oldKey = (await rowsOf(id)).find((row) => row.id === old.slipId).file_key;
    await sweepSlips(product, later(25));
    const left = (await rowsOf(id)).map((row) => row.id);
    expect(left.sort()).toEqual([fresh.slipId, used.slipId].sort());
    expect(await files.get(oldKey)).toBeNull();
  });

  test("finishes what a process that died began: a row without its file, a file about to be deleted", async () => {
    const { id } = await createTestCustomer(db);
    await createTestSlip(product, id, { now });
    await owner.query("update deposit_slips set stored_at = null where customer_id = $1", [id]);
    const discarded = await createTestSlip(product, id, { now: later(24) });
    await owner.query("update deposit_slips set discarded_at = now() where id = $1", [
      discarded.slipId,
    ]);
    await sweepSlips(product, later(25));
    expect(await rowsOf(id)).toEqual([]);
  });

  test("keeps the row when the store cannot delete, and tries again", async () => {
    const { id } = await createTestCustomer(db);
    await createTestSlip(product, id, { now });
    const down: FileStore = { ...files, delete: () => Promise.reject(new Error("unplugged")) };
    await expect(sweepSlips({ db, files: down }, later(25))).rejects.toThrow("unplugged");
    expect(await rowsOf(id)).toHaveLength(1);
    await sweepSlips(product, later(25));
    expect(await rowsOf(id)).toEqual([]);
  });

  test("and submitting at the same moment never leave a deposit without its slip", async () => {
    const { id } = await createTestCustomer(db);
    for (let round = 0; round < 10; round += 1) {
      const { slipId } = await createTestSlip(product, id, { now });
      const [submitted] = await Promise.allSettled([
        submitDeposit(db, submission(id, slipId), now),
        sweepSlips(product, later(25)),
      ]);
      const [row] = (await rowsOf(id)).filter((slip) => slip.id === slipId);
      if (submitted.status === "fulfilled") expect(await files.get(row.file_key)).not.toBeNull();
      else expect(submitted.reason).toMatchObject({ code: "deposits/slip-not-found" });
    }
  });

  test("leaves no file without a row", async () => {
    const { rows } = await owner.query("select file_key from deposit_slips");
    const known = rows.map(({ file_key }) => file_key.split("/").at(-1));
    expect(storedFiles().filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe("the same slip again", () => {
  const deposit = async (slip: Uint8Array) =>
    createTestDeposit(product, { customerId: (await createTestCustomer(db)).id, slip, now });

  test.each([
    ["picture", () => receiptPicture({ amount: 501 })],
    ["PDF", () => receiptPdf({ catalog: "/Lang(en)" })],
  ])("flags the same %s, sent by another customer, to the reviewer of both", async (_, draw) => {
    const slip = await draw();
    const [one, two] = [await deposit(slip), await deposit(slip)];
    const other = await deposit(await uniquePicture());
    const same = async ({ depositId }: { depositId: string }) =>
      (await listDepositsWithSameSlip(db, depositId)).map((found) => found.depositId);
    expect(await same(one)).toEqual([two.depositId]);
    expect(await same(two)).toEqual([one.depositId]);
    expect(await same(other)).toEqual([]);
    const queue = await listPendingDeposits(db, { limit: 100 });
    const counts = [one, two, other].map(
      (each) => queue.find(({ depositId }) => depositId === each.depositId)?.sameFileCount,
    );
    expect(counts).toEqual([1, 1, 0]);
  });
});

describe("showing a slip", () => {
  test("to its owner and to staff, and to nobody else", async () => {
    const [ada, bob] = [await createTestCustomer(db), await createTestCustomer(db)];
    const { depositId } = await createTestDeposit(product, { customerId: ada.id });
    expect(await readSlip(product, depositId, { customerId: ada.id })).not.toBeNull();
    expect(await readSlip(product, depositId, "staff")).not.toBeNull();
    expect(await readSlip(product, depositId, { customerId: bob.id })).toBeNull();
    expect(await readSlip(product, "../../etc/passwd", { customerId: ada.id })).toBeNull();
  });

  test("is an error when the file was changed or lost behind our back, never another picture", async () => {
    const { id } = await createTestCustomer(db);
    const { depositId, slipId } = await createTestDeposit(product, { customerId: id });
    const { rows } = await owner.query("select file_key from deposit_slips where id = $1", [
      slipId,
    ]);
    await files.put(rows[0].file_key, await uniquePicture(), "image/jpeg");
    await expect(readSlip(product, depositId, "staff")).rejects.toThrow("not what was kept");
    await files.delete(rows[0].file_key);
    await expect(readSlip(product, depositId, "staff")).rejects.toThrow("gone from the store");
  });

  test("gives a browser nothing to run", async () => {
    const bytes = Buffer.from("x");
    const picture = fileResponse({ bytes, mediaType: "image/jpeg", name: 'Überweisung "1".jpg' });
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      "content-type": "image/jpeg",
      "content-disposition": `inline; filename="_berweisung _1_.jpg"; filename*=UTF-8''%C3%9Cberweisung%20%221%22.jpg`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    });
    const pdf = fileResponse({ bytes, mediaType: "application/pdf", name: "slip.pdf" });
    expect(pdf.headers.get("content-disposition")).toMatch(/^attachment;/);
  });
});

test.each([
  ["C:\\Users\\ada\\slip.heic", "slip.jpg"],
  ["/etc/passwd", "passwd.jpg"],
  ["a\u202egpj.exe", "agpj.jpg"],
  ["line\r\nSet-Cookie: x", "lineSet-Cookie x.jpg"],
  ['"><script>', "script.jpg"],
  ["...", "slip.jpg"],
  ["", "slip.jpg"],
  ["21.11.2026", "21.11.2026.jpg"],
  ["x".repeat(500), `${"x".repeat(100)}.jpg`],
])("a slip called %j is shown as %j", (sent, shown) => {
  expect(displayName(sent, "image/jpeg", "slip")).toBe(shown);
});
