import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { Refusal } from "#core/refusal.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { uniquePicture } from "#tests/factories/deposit.ts";
import {
  allYes,
  createTestSubmission,
  testBrowser,
  uploadTestDocument,
  verifyingProduct,
  viewTestDocuments,
} from "#tests/factories/kyc.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { pixelBomb, receiptPdf } from "#tests/factories/slip-files.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { newKey, parseKeyRing } from "../platform/files/key-ring.ts";
import type { Log } from "../platform/log/log.ts";
import { approveKyc } from "./approve-kyc.ts";
import { declineKyc } from "./decline-kyc.ts";
import { getKyc } from "./get-kyc.ts";
import { keepDocument } from "./keep-document.ts";
import { listSubmittedDocuments } from "./list-documents.ts";
import { rewrapDocumentKeys } from "./rewrap-document-keys.ts";
import { sweepDocuments } from "./sweep-documents.ts";
import { viewDocument } from "./view-document.ts";

const { db, owner } = await testDatabase();
const files = testFiles();
const product = verifyingProduct({ db, files });
const now = new Date("2026-11-21T12:00:00Z");
const days = (count: number) => new Date(now.getTime() + count * 86_400_000);
const grace = await createTestOperator(db, { role: "verifier" });

async function newCustomer(): Promise<string> {
  return (await createTestCustomer(db)).id;
}

interface Row {
  id: string;
  purpose: string;
  file_key: string;
  key_id: string | null;
  erasing_at: Date | null;
  erased_at: Date | null;
  original_name: string;
}

async function rowsOf(customerId: string): Promise<Row[]> {
  const { rows } = await owner.query<Row>(
    "select * from kyc_documents where customer_id = $1 order by created_at, id",
    [customerId],
  );
  return rows;
}

const fileOf = (row: Row | undefined) => path.join(files.folder, row?.file_key ?? "nothing");

async function submission(wanted: { second?: "selfie" | "proof-of-address" } = {}) {
  const customerId = await newCustomer();
  const { submissionId } = await createTestSubmission(product, customerId, { ...wanted, now });
  const documents = await listSubmittedDocuments(db, submissionId);
  const documentId = documents[0]?.id ?? "";
  return { customerId, submissionId, documentId };
}

async function viewsOf(submissionId: string): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    "select count(*)::int as count from audit_log where act = 'kyc/view-document' and subject = $1",
    [`kyc:${submissionId}`],
  );
  return rows[0]?.count ?? 0;
}

describe("what is kept", () => {
  test("is drawn anew and sealed: nothing of it stands in the store, and its file can be read by its owner alone", async () => {
    const { customerId, submissionId, documentId } = await submission();
    const [row] = await rowsOf(customerId);
    const sealed = readFileSync(fileOf(row));
    expect(sealed.subarray(0, 2)).not.toEqual(Buffer.from([0xff, 0xd8]));
    await expect(sharp(sealed).metadata()).rejects.toThrow();
    expect(statSync(fileOf(row)).mode & 0o077).toBe(0);
    const shown = await viewDocument(product, grace, { submissionId, documentId }, now);
    expect(shown.mediaType).toBe("image/jpeg");
    expect((await sharp(shown.bytes).metadata()).format).toBe("jpeg");
    expect(row?.original_name).toBe("identity-front.jpg");
  });

  test("is the newest of a kind; the one before is erased by the next sweep", async () => {
    const customerId = await newCustomer();
    await uploadTestDocument(product, customerId, "selfie", now);
    const second = await uploadTestDocument(product, customerId, "selfie", now);
    const { documents } = await getKyc(db, customerId, now);
    expect(documents.map(({ id }) => id)).toEqual([second]);
    await sweepDocuments(product, now);
    const rows = await rowsOf(customerId);
    expect(rows.map((row) => row.erased_at !== null)).toEqual([true, false]);
    expect(rows.map((row) => existsSync(fileOf(row)))).toEqual([false, true]);
  });

  test("is one, when several arrive at once", async () => {
    const customerId = await newCustomer();
    await Promise.allSettled(
      [1, 2, 3].map(() => uploadTestDocument(product, customerId, "selfie", now)),
    );
    const { documents } = await getKyc(db, customerId, now);
    expect(documents).toHaveLength(1);
  });

  test("is nothing when there is no room, and the customer is told", async () => {
    const customerId = await newCustomer();
    const full: FileStore = {
      ...files,
      put: async () => {
        throw new Refusal("files/storage-full");
      },
    };
    const file = { name: "a.png", bytes: await uniquePicture() };
    const upload = { customerId, purpose: "selfie", file, ...testBrowser } as const;
    await expect(keepDocument({ ...product, files: full }, upload, now)).rejects.toThrow(
      new Refusal("files/storage-full"),
    );
    const [row] = await rowsOf(customerId);
    expect([row?.key_id, row?.erasing_at === null]).toEqual([null, false]);
  });

  test.each([
    ["a web page", Buffer.from("<html><script>alert(1)</script>"), "files/unknown-type"],
    ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), "files/unknown-type"],
    ["a ZIP archive", Buffer.from("PK\x03\x04 archive"), "files/unknown-type"],
    ["nothing", Buffer.alloc(0), "files/empty"],
    [
      "a PDF with a script",
      receiptPdf({ catalog: "/OpenAction<</S/JavaScript>>" }),
      "files/active-content",
    ],
  ])("is not %s", async (_, bytes, code) => {
    const customerId = await newCustomer();
    const file = { name: "passport.jpg", bytes };
    const upload = { customerId, purpose: "identity-front", file, ...testBrowser } as const;
    await expect(keepDocument(product, upload, now)).rejects.toThrow(new Refusal(code));
    expect(await rowsOf(customerId)).toEqual([]);
  });

  test("is no picture that is a web page or an archive too, no pixel bomb, and no name that leads elsewhere", async () => {
    const customerId = await newCustomer();
    const keep = (bytes: Buffer, name = "passport.png") =>
      keepDocument(
        product,
        { customerId, purpose: "identity-front", file: { name, bytes }, ...testBrowser },
        now,
      );
    const picture = await uniquePicture();
    for (const tail of ["<script>alert(1)</script>", "PK\x05\x06"]) {
      const polyglot = Buffer.concat([picture, Buffer.from(tail, "latin1")]);
      await expect(keep(polyglot)).rejects.toThrow(new Refusal("files/two-things-at-once"));
    }
    await expect(keep(pixelBomb(9000))).rejects.toThrow(new Refusal("files/too-many-pixels"));
    await expect(keep(picture, "passport.php.png")).rejects.toThrow(
      new Refusal("files/misleading-name"),
    );
    await keep(picture, "../../etc/pass\u202ewd\0.png");
    const [row] = await rowsOf(customerId);
    expect(row?.original_name).toBe("passwd.jpg");
    expect(row?.file_key).toMatch(/^documents\/[0-9a-f]{2}\/[0-9a-f]{32}$/);
  });
});

describe("looking at a document", () => {
  test("is written down each time, before the file is fetched", async () => {
    const { submissionId, documentId } = await submission();
    let viewsAtFetch = 0;
    const watching: FileStore = {
      ...files,
      async get(key) {
        viewsAtFetch = await viewsOf(submissionId);
        return files.get(key);
      },
    };
    const asked = { submissionId, documentId };
    await viewDocument({ ...product, files: watching }, grace, asked, now);
    await viewDocument({ ...product, files: watching }, grace, asked, now);
    expect([viewsAtFetch, await viewsOf(submissionId)]).toEqual([2, 2]);
  });

  test("of another submission, or by no id at all, finds nothing", async () => {
    const one = await submission();
    const other = await submission();
    const notFound = new Refusal("kyc/not-found");
    for (const asked of [
      { submissionId: one.submissionId, documentId: other.documentId },
      { submissionId: one.submissionId, documentId: "../../x" },
      { submissionId: "x", documentId: one.documentId },
    ]) {
      await expect(viewDocument(product, grace, asked, now)).rejects.toThrow(notFound);
    }
    expect(await viewsOf(one.submissionId)).toBe(0);
  });

  test("that is not what was kept shows nothing and is logged, whatever was changed", async () => {
    const { customerId, submissionId, documentId } = await submission();
    const other = await submission();
    const [row] = await rowsOf(customerId);
    const [otherRow] = await rowsOf(other.customerId);
    const logged: string[] = [];
    const log = { error: (_: unknown, words: string) => logged.push(words) } as unknown as Log;
    const look = () => viewDocument({ ...product, log }, grace, { submissionId, documentId }, now);
    const unreadable = new Refusal("kyc/document-unreadable");
    const whole = readFileSync(fileOf(row));
    const flipped = (at: number) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes;
    };
    const changes = [
      flipped(0),
      flipped(20),
      flipped(whole.length - 1),
      whole.subarray(0, -1),
      Buffer.alloc(0),
      readFileSync(fileOf(otherRow)),
    ];
    for (const bytes of changes) {
      writeFileSync(fileOf(row), bytes);
      await expect(look()).rejects.toThrow(unreadable);
    }
    writeFileSync(fileOf(row), whole);
    await expect(look()).resolves.toBeDefined();
    // The row's own key, exchanged for that of another customer's document, file and all.
    await owner.query(
      `update kyc_documents d set wrapped_key = o.wrapped_key from kyc_documents o
        where d.id = $1 and o.id = $2`,
      [documentId, other.documentId],
    );
    writeFileSync(fileOf(row), readFileSync(fileOf(otherRow)));
    await expect(look()).rejects.toThrow(unreadable);
    expect(logged).toHaveLength(changes.length + 1);
  });
});

describe("documents are erased", () => {
  const kept = async (customerId: string) =>
    (await rowsOf(customerId)).filter((row) => existsSync(fileOf(row))).length;

  test("30 days after an approval, keys, names and files, and not a moment before", async () => {
    const { customerId, submissionId } = await submission();
    await viewTestDocuments(product, grace, submissionId, now);
    await approveKyc(product, grace, { submissionId, checklist: allYes() }, now);
    await sweepDocuments(product, new Date(days(30).getTime() - 1));
    expect(await kept(customerId)).toBe(2);
    await sweepDocuments(product, days(30));
    await sweepDocuments(product, days(30));
    expect(await kept(customerId)).toBe(0);
    for (const row of await rowsOf(customerId)) {
      expect(row).toMatchObject({ key_id: null, original_name: "", erased_at: days(30) });
    }
    const [document] = await listSubmittedDocuments(db, submissionId);
    const asked = { submissionId, documentId: document?.id ?? "" };
    await expect(viewDocument(product, grace, asked, days(31))).rejects.toThrow(
      new Refusal("kyc/document-erased"),
    );
  });

  test("after as many days as the operator must keep them", async () => {
    const { customerId, submissionId } = await submission();
    await viewTestDocuments(product, grace, submissionId, now);
    await approveKyc(product, grace, { submissionId, checklist: allYes() }, now);
    const kyc = { approvedDocumentDays: 100, highRiskCountries: [] };
    const bound = { ...product, config: { ...product.config, kyc } };
    await sweepDocuments(bound, days(99));
    expect(await kept(customerId)).toBe(2);
    await sweepDocuments(bound, days(100));
    expect(await kept(customerId)).toBe(0);
  });

  test("30 days after a decision that declined, and are then asked for again", async () => {
    const { customerId, submissionId } = await submission();
    const reasons = { selfie: "Blurred." };
    const decline = { submissionId, checklist: allYes(), reasons };
    await declineKyc(product, grace, decline, now);
    await sweepDocuments(product, days(29));
    expect((await getKyc(db, customerId, days(29))).missing).toEqual(["selfie"]);
    await sweepDocuments(product, days(30));
    const after = await getKyc(db, customerId, days(30));
    expect(after.missing).toEqual(["personal-details", "identity-kind", "second-kind"]);
    expect(after.open).toEqual(expect.arrayContaining(after.missing));
    expect(await kept(customerId)).toBe(0);
  });

  test("30 days after an upload that nobody submitted, with what was said; never while a verifier is to see them", async () => {
    const abandoned = await newCustomer();
    await uploadTestDocument(product, abandoned, "selfie", now);
    const waiting = await submission();
    await sweepDocuments(product, days(400));
    expect([await kept(abandoned), await kept(waiting.customerId)]).toEqual([0, 2]);
    expect((await getKyc(db, abandoned, days(400))).draft).toBeNull();
    expect((await getKyc(db, waiting.customerId, days(400))).draft).not.toBeNull();
  });

  test("though the worker dies between file and row, at either side", async () => {
    const customerId = await newCustomer();
    await uploadTestDocument(product, customerId, "selfie", now);
    const dying = (act: (key: string) => Promise<void>): FileStore => ({
      ...files,
      async delete(key) {
        await act(key);
        throw new Error("killed");
      },
    });
    const before = { ...product, files: dying(async () => {}) };
    await expect(sweepDocuments(before, days(30))).rejects.toThrow("killed");
    const [row] = await rowsOf(customerId);
    // The file is there, but its key is gone already.
    expect([row?.key_id, existsSync(fileOf(row)), row?.erased_at]).toEqual([null, true, null]);
    const after = { ...product, files: dying((key) => files.delete(key)) };
    await expect(sweepDocuments(after, days(30))).rejects.toThrow("killed");
    expect(await sweepDocuments(product, days(30))).toMatchObject({ erased: expect.any(Number) });
    const [done] = await rowsOf(customerId);
    expect([existsSync(fileOf(done)), done?.erased_at]).toEqual([false, days(30)]);
  });

  test("an upload that died on its way too", async () => {
    const customerId = await newCustomer();
    const id = await uploadTestDocument(product, customerId, "selfie", now);
    await owner.query("update kyc_documents set stored_at = null where id = $1", [id]);
    await sweepDocuments(product, new Date(now.getTime() + 3_599_000));
    expect(await kept(customerId)).toBe(1);
    await sweepDocuments(product, new Date(now.getTime() + 3_600_000));
    expect(await kept(customerId)).toBe(0);
  });
});

test("a new key wraps every document's key anew, twice is once, and the old one is needed no more", async () => {
  const { submissionId, documentId } = await submission();
  const before = readdirSync(files.folder, { recursive: true }).length;
  const fresh = newKey();
  const [oldId = "", oldKey] = [...product.config.documentKeys.keys][0] ?? [];
  const old = `${oldId}:${Buffer.from(oldKey ?? []).toString("base64url")}`;
  const both = parseKeyRing(`${fresh},${old}`);
  const alone = parseKeyRing(fresh);
  if (!both || !alone) throw new Error("no rings");
  // Without the old key nothing can be opened, and nothing is harmed.
  const inVain = await rewrapDocumentKeys(db, alone);
  expect(inVain.rewrapped).toBe(0);
  expect(inVain.unreadable).toContain(documentId);
  expect((await rewrapDocumentKeys(db, both)).rewrapped).toBeGreaterThanOrEqual(2);
  expect((await rewrapDocumentKeys(db, both)).rewrapped).toBe(0);
  const rotated = { ...product, config: { ...product.config, documentKeys: alone } };
  const shown = await viewDocument(rotated, grace, { submissionId, documentId }, now);
  expect((await sharp(shown.bytes).metadata()).format).toBe("jpeg");
  expect(readdirSync(files.folder, { recursive: true })).toHaveLength(before);
});
