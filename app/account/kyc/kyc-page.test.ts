import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { listSubmittedDocuments } from "#server/kyc/list-documents.ts";
import { stateResidence } from "#server/kyc/state-residence.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { uniquePicture } from "#tests/factories/deposit.ts";
import { createTestSubmission, testBrowser } from "#tests/factories/kyc.ts";
import { mmdbFile } from "#tests/factories/mmdb-file.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const folder = mkdtempSync(path.join(tmpdir(), "assay-geoip-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const geoip = path.join(folder, "countries.mmdb");
writeFileSync(geoip, mmdbFile({ 8: "US", 80: "DE" }));

const product = await testApp({ GEOIP_FILE: geoip, BLOCKED_COUNTRIES: "US" });
const { app, db } = product;
const ada = await createTestCustomer(db);
const cookie = await signInAs(product, ada);
const page = "/account/verification";

/** Sends the form of one step, and follows it to the page that answers. */
async function send(step: string, fields: Record<string, string> = {}) {
  const answer = await product.request(page, { cookie, form: { step, ...fields } });
  return { status: answer.status, body: await answer.text() };
}

type Upload = [name: string, bytes: Buffer | string];

function formOf(step: string, files: Upload[]): FormData {
  const form = new FormData();
  form.set("step", step);
  for (const [name, bytes] of files) {
    form.append("file", new Blob([new Uint8Array(Buffer.from(bytes as Buffer))]), name);
  }
  return form;
}

function upload(step: string, file: Upload) {
  return product.request(page, { cookie, form: formOf(step, [file]) });
}

test("without JavaScript each part is a form of its own, and nothing typed is lost on an error", async () => {
  const before = await (await product.request(page, { cookie })).text();
  expect(before).toContain("no figures yet");
  expect(before).toContain("Up to $1,000.00");
  expect(before).not.toContain("Legal name");
  const refused = await send("residence", { country: "US" });
  expect(refused.status).toBe(400);
  expect(refused.body).toContain("not available to residents of the United States");
  expect((await send("residence", { country: "DE" })).status).toBe(302);
  const details = { legalName: "Ada King", dateOfBirth: "2020-01-01", addressLine: "Street 1" };
  const wrong = await send("personal-details", details);
  expect(wrong.status).toBe(400);
  expect(wrong.body).toContain('value="Ada King"');
  expect(wrong.body).toContain("Enter your city");
  const young = await send("personal-details", { ...details, city: "Berlin" });
  expect(young.body).toContain("You must be 18 or older");
  const grown = { ...details, city: "Berlin", dateOfBirth: "1990-01-01" };
  expect((await send("personal-details", grown)).status).toBe(302);
  expect((await send("identity-kind", { kind: "passport" })).status).toBe(302);
  expect((await send("second-kind", { secondProof: "selfie" })).status).toBe(302);
  expect((await send("submit")).body).toMatch(
    /role="alert"[\s\S]{0,500}A step is missing, or we deleted it/,
  );
  expect((await upload("identity-front", ["passport.png", await uniquePicture()])).status).toBe(
    302,
  );
  expect((await upload("selfie", ["me.png", await uniquePicture()])).status).toBe(302);
  expect((await send("submit")).status).toBe(302);
  const after = await (await product.request(page, { cookie })).text();
  expect(after).toContain("our staff are checking it");
  expect((await upload("selfie", ["me.png", await uniquePicture()])).status).toBe(409);
});

describe("an upload", () => {
  test.each([
    ["nothing", [], 400, "Choose a file"],
    ["an empty file", [["a.jpg", ""]], 400, "The file is empty"],
    ["SVG", [["a.jpg", "<svg xmlns='http://www.w3.org/2000/svg'/>"]], 400, "not a JPEG"],
    [
      "two files",
      [
        ["a.jpg", "one"],
        ["b.jpg", "two"],
      ],
      400,
      "one file at a time",
    ],
    ["more than 10 MB", [["a.jpg", Buffer.alloc(10 * 1024 * 1024 + 1)]], 413, "larger than 10 MB"],
  ] as Array<[string, Upload[], number, string]>)(
    "of %s is refused in clear words",
    async (_, files, status, words) => {
      const bob = await createTestCustomer(db);
      await stateResidence(db, { customerId: bob.id, country: "DE", ...testBrowser }, app.now());
      const bobsCookie = await signInAs(product, bob);
      const form = formOf("proof-of-address", files);
      const answer = await product.request(page, { cookie: bobsCookie, form });
      expect([answer.status, (await answer.text()).includes(words)]).toEqual([status, true]);
    },
  );

  test("to a step that does not exist is the sender's fault", async () => {
    for (const step of ["", "__proto__", "constructor", "approve"]) {
      expect((await send(step)).status).toBe(400);
    }
  });
});

test("a way back leads to pages of the account alone", async () => {
  const form = { step: "residence", country: "DE" };
  const carol = await createTestCustomer(db);
  const carols = await signInAs(product, carol);
  for (const [next, place] of [
    ["/account/withdraw", "/account/withdraw"],
    ["/account/mining/buy?plan=a-90&units=60", "/account/mining/buy?plan=a-90&units=60"],
    ["/account/withdraw?next=//evil.example", page],
    ["//evil.example", page],
    ["https://evil.example/account/withdraw", page],
    ["/account/../operator", page],
  ]) {
    const target = `${page}?next=${encodeURIComponent(next ?? "")}`;
    const answer = await product.request(target, { cookie: carols, form });
    expect(answer.headers.get("location")).toBe(place);
  }
});

test("a document is served to a verifier as something that never runs, and to nobody else", async () => {
  const dora = await createTestCustomer(db);
  const { submissionId } = await createTestSubmission(app, dora.id);
  const [document] = await listSubmittedDocuments(db, submissionId);
  const target = `/operator/verification/${submissionId}/documents/${document?.id}`;
  const verifier = await signInAs(product, await createTestOperator(db, { role: "verifier" }));
  const shown = await product.request(target, { cookie: verifier });
  expect(shown.status).toBe(200);
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    "content-type": "image/jpeg",
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
  });
  const doras = await signInAs(product, dora);
  for (const whose of [undefined, cookie, doras]) {
    const refused = await product.request(target, whose ? { cookie: whose } : {});
    expect(refused.status).not.toBe(200);
    expect(refused.headers.get("content-type") ?? "").not.toContain("image");
  }
  const auditor = await signInAs(product, await createTestOperator(db, { role: "auditor" }));
  expect((await product.request(target, { cookie: auditor })).status).toBe(403);
  await app.files.delete(
    (
      await product.owner.query<{ file_key: string }>(
        "select file_key from kyc_documents where id = $1",
        [document?.id],
      )
    ).rows[0]?.file_key ?? "",
  );
  expect((await product.request(target, { cookie: verifier })).status).toBe(500);
});

test("from a blocked country nobody registers or signs in, and is told why; others do", async () => {
  const american = "8.8.8.8";
  for (const target of ["/login", "/signup"]) {
    for (const form of [undefined, { email: ada.email, password: "x" }]) {
      const answer = await product.request(target, { address: american, ...(form && { form }) });
      expect(answer.status, target).toBe(451);
      const page = await answer.text();
      expect(page).toContain("in this country: United States.");
      expect(page).toContain("Not available where you are · Assay");
    }
    const data = await product.request(`${target}.data`, { address: american });
    expect(await data.text()).toContain("United States");
    for (const address of ["80.1.1.1", "9.9.9.9", "2001:db8::1"]) {
      expect((await product.request(target, { address })).status, address).toBe(200);
    }
  }
  expect((await product.request("/forgotpassword", { address: american })).status).toBe(200);
  expect((await product.request("/", { address: american })).status).toBe(200);
});
