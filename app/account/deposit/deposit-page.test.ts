import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { Refusal } from "#core/refusal.ts";
import { StorageAway } from "#server/platform/files/file-store.ts";
import { openVirusScan } from "#server/platform/files/virus-scan.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit, createTestSlip, uniquePicture } from "#tests/factories/deposit.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { receiptPdf } from "#tests/factories/slip-files.ts";
import { eicar, startFakeClamd } from "#tests/fakes/clamd.ts";
import { freePort } from "#tests/setup/free-port.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const clamd = await startFakeClamd();
afterAll(() => clamd.stop());
const product = await testApp({ CLAMD: clamd.address });
const { app, db, owner } = product;
const grace = await createTestOperator(db);

async function somebody(name = "Ada") {
  const customer = await createTestCustomer(db, { firstName: name });
  return { ...customer, cookie: await signInAs(product, customer) };
}

const ada = await somebody();
const bob = await somebody("Bob");

interface Sent {
  slip?: Uint8Array | string | null;
  name?: string;
  [field: string]: unknown;
}

/** The slip form as a browser without JavaScript sends it. */
async function formOf({ slip, name = "slip.png", ...fields }: Sent = {}): Promise<FormData> {
  const form = new FormData();
  const all = { submissionKey: randomUUID(), amount: "$1,250.50", method: "Bitcoin", ...fields };
  for (const [field, value] of Object.entries(all)) form.append(field, String(value));
  const bytes = slip === undefined ? await uniquePicture() : slip;
  if (bytes !== null) form.append("slip", new Blob([bytes as BlobPart]), name);
  return form;
}

async function submit(sent: Sent = {}, cookie = ada.cookie) {
  const answer = await product.request("/account/deposit", { form: await formOf(sent), cookie });
  return { answer, html: await answer.text() };
}

async function depositsOf(customerId: string) {
  const { rows } = await owner.query("select * from deposits where customer_id = $1 order by id", [
    customerId,
  ]);
  return rows;
}

async function slipsOf(customerId: string) {
  const { rows } = await owner.query("select * from deposit_slips where customer_id = $1", [
    customerId,
  ]);
  return rows;
}

function fieldValue(html: string, field: string): string | undefined {
  const input = html.match(new RegExp(`<input[^>]*name="${field}"[^>]*>`))?.[0];
  return input?.match(/value="([^"]*)"/)?.[1];
}

describe("the page", () => {
  test("shows the addresses of the test network and says not to send real coins", async () => {
    const html = await (await product.request("/account/deposit", { cookie: ada.cookie })).text();
    expect(html).toContain("This is a test network");
    expect(html).toContain(app.config.depositAddresses.bitcoin);
    expect(html).toContain(app.config.depositAddresses.ethereum);
    expect(html).not.toContain("yours alone");
    expect(html).toContain("data:image/svg+xml,");
    for (const words of [
      "Choose method",
      "Submit payment slip",
      "$0.00",
      "Submit for review",
      "Deposit Transactions",
    ]) {
      expect(html).toContain(words);
    }
  });

  test("lists, searches and sums on the server", async () => {
    const eve = await somebody("Eve");
    await createTestDeposit(app, {
      customerId: eve.id,
      claimedUsdCents: 10_000n,
      approvedBy: grace,
    });
    await createTestDeposit(app, { customerId: eve.id, claimedUsdCents: 2_345n, method: "USDT" });
    const page = async (query: string) =>
      (await product.request(`/account/deposit${query}`, { cookie: eve.cookie })).text();
    expect(await page("")).toContain("$123.45");
    const found = await page("?q=usdt&show=25&sort=amount&dir=asc");
    expect(found).toMatch(/Total Amount[\s\S]{0,400}\$23\.45/);
    expect(await page("?q=nothing-like-it")).toContain("No deposit matches");
  });

  test.each([
    "?q=%3Cscript%3Ealert(1)%3C/script%3E",
    "?show=1e9&page=-1&sort=password&dir=x",
    "?page=99999999999999999999",
    "?q=%00",
  ])("stands whatever its address says: %s", async (query) => {
    const answer = await product.request(`/account/deposit${query}`, { cookie: ada.cookie });
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toContain("<script>alert(1)");
  });
});

describe("submitting without JavaScript", () => {
  test("saves the deposit with its slip and leads back to the page", async () => {
    const eve = await somebody("Eve");
    const { answer } = await submit({}, eve.cookie);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/account/deposit"]);
    expect(answer.headers.get("set-cookie")).toContain("flash=");
    expect(await depositsOf(eve.id)).toMatchObject([
      { claimed_usd_cents: "125050", method: "Bitcoin", state: "pending", image_url: null },
    ]);
  });

  test("keeps the slip and what was typed when a field is wrong, so that neither is asked for again", async () => {
    const eve = await somebody("Eve");
    const { answer, html } = await submit({ amount: "-5", name: "my slip.png" }, eve.cookie);
    expect(answer.status).toBe(400);
    expect(html).toContain("The amount cannot be negative");
    expect(html).toContain("my slip.jpg");
    expect(fieldValue(html, "amount")).toBe("-5");
    const slipId = fieldValue(html, "slipId") ?? "";
    const submissionKey = fieldValue(html, "submissionKey");
    const again = await submit(
      { slip: "", name: "", slipId, submissionKey, amount: "5" },
      eve.cookie,
    );
    expect(again.answer.status).toBe(302);
    expect(await depositsOf(eve.id)).toMatchObject([{ slip_id: slipId, claimed_usd_cents: "500" }]);
  });

  test("takes a slip once the virus scanner has seen it as it came, and none that it knows", async () => {
    const ian = await somebody("Ian");
    const picture = await uniquePicture();
    expect((await submit({ slip: picture }, ian.cookie)).answer.status).toBe(302);
    expect(clamd.scanned.at(-1)).toBe(picture.length);
    const infected = receiptPdf({ catalog: `/Note(${eicar})` });
    const { answer, html } = await submit({ slip: infected, amount: "80" }, ian.cookie);
    expect(answer.status).toBe(400);
    expect(html).toContain("The virus scanner found something harmful in this file");
    expect(fieldValue(html, "amount")).toBe("80");
    expect(await slipsOf(ian.id)).toHaveLength(1);
  });

  test.each([
    "INSTREAM size limit exceeded. ERROR",
    "stream: Can't allocate memory ERROR",
    "",
    "nobody there",
  ])("takes no slip while the virus scanner says '%s', and keeps what was typed", async (line) => {
    const jan = await somebody("Jan");
    const { scanForViruses } = app;
    const away = { host: "127.0.0.1", port: await freePort() };
    if (line === "nobody there") app.scanForViruses = openVirusScan(away, app.log);
    else clamd.answers(line);
    const { answer, html } = await submit({ amount: "80" }, jan.cookie);
    app.scanForViruses = scanForViruses;
    clamd.answers(null);
    expect(answer.status).toBe(503);
    expect(html).toContain("the scanner does not answer at the moment");
    expect(fieldValue(html, "amount")).toBe("80");
    expect(await slipsOf(jan.id)).toEqual([]);
    const submissionKey = fieldValue(html, "submissionKey");
    expect((await submit({ submissionKey, amount: "80" }, jan.cookie)).answer.status).toBe(302);
  });

  test.each([
    [
      "an SVG",
      { slip: '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>' },
      400,
      "This is not a JPEG",
    ],
    ["a page called slip.jpg", { slip: "<html>", name: "slip.jpg" }, 400, "This is not a JPEG"],
    [
      "a PDF with a script",
      { slip: receiptPdf({ catalog: "/OpenAction<</S/JavaScript>>" }) },
      400,
      "contains scripts",
    ],
    ["a program's name", { name: "slip.jpg.exe" }, 400, "Rename it"],
    ["11 MB", { slip: new Uint8Array(11 * 1024 * 1024) }, 413, "larger than 10 MB"],
    ["no slip", { slip: null }, 400, "Please choose your payment slip"],
    ["no amount", { amount: "" }, 400, "Please enter the amount"],
    ["another method", { method: "Dogecoin" }, 400, "Please choose a method"],
    ["somebody's key", { submissionKey: "1" }, 400, "Please reload the page"],
  ])("refuses %s, and says why in place", async (_, sent, status, words) => {
    const eve = await somebody("Eve");
    const { answer, html } = await submit(sent, eve.cookie);
    expect(answer.status).toBe(status);
    expect(html).toContain(words);
    expect(await depositsOf(eve.id)).toEqual([]);
    if (!("amount" in sent)) expect(fieldValue(html, "amount")).toBe("$1,250.50");
  });

  test("ignores what only staff and the ledger may say", async () => {
    const eve = await somebody("Eve");
    const { answer } = await submit(
      {
        profit: "1000000",
        balance: "1",
        status: "Approved",
        state: "approved",
        imageUrl: "https://evil.example/x.png",
        userId: bob.id,
        customerId: bob.id,
        uid: bob.id,
        usdCents: "99999999",
        quantityUnits: "1",
        txid: "a".repeat(64),
        role: "owner",
        "__proto__.state": "approved",
        "constructor.prototype.state": "approved",
        declaredOn: "1999-01-01",
      },
      eve.cookie,
    );
    expect(answer.status).toBe(302);
    expect(await depositsOf(eve.id)).toMatchObject([
      { state: "pending", image_url: null, usd_cents: "125050", quantity_units: null, txid: null },
    ]);
    expect(await depositsOf(bob.id)).toEqual([]);
  });

  test("8 equal requests at once, each with its file, are one deposit and 8 equal answers", async () => {
    const eve = await somebody("Eve");
    const sent = { submissionKey: randomUUID(), slip: await uniquePicture() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit(sent, eve.cookie)));
    expect(answers.map(({ answer }) => answer.status)).toEqual(Array(8).fill(302));
    expect(await depositsOf(eve.id)).toHaveLength(1);
  });

  test("the same form with another amount is refused, with a fresh key for another deposit", async () => {
    const eve = await somebody("Eve");
    const sent = { submissionKey: randomUUID(), slip: await uniquePicture() };
    await submit(sent, eve.cookie);
    const { answer, html } = await submit({ ...sent, amount: "7" }, eve.cookie);
    expect(answer.status).toBe(409);
    expect(html).toContain("You already submitted this form with different details");
    expect(fieldValue(html, "submissionKey")).not.toBe(sent.submissionKey);
    expect(await depositsOf(eve.id)).toHaveLength(1);
  });

  test.each([
    ["is full", "storage-full", 507, "We have no room for files at the moment"],
    ["is away", "storage-away", 503, "We cannot keep files at the moment"],
  ])(
    "a file store that %s is said clearly, leaves nothing behind, and the rest goes on",
    async (_, code, status, words) => {
      const eve = await somebody("Eve");
      const { put } = app.files;
      app.files.put = () => Promise.reject(new Refusal(`files/${code}`));
      const { answer, html } = await submit({ amount: "$321.50" }, eve.cookie);
      app.files.put = put;
      expect(answer.status).toBe(status);
      expect(html).toContain(words);
      expect(html).toContain("$321.50");
      expect((await slipsOf(eve.id)).filter((slip) => !slip.discarded_at)).toEqual([]);
      expect((await product.request("/account/dashboard", { cookie: eve.cookie })).status).toBe(
        200,
      );
      expect((await submit({}, eve.cookie)).answer.status).toBe(302);
    },
  );

  test("a slip that cannot be read now is asked for again a little later", async () => {
    const eve = await somebody("Eve");
    await submit({}, eve.cookie);
    const [{ id }] = await depositsOf(eve.id);
    const { get } = app.files;
    app.files.get = () => Promise.reject(new StorageAway(new Error("away")));
    const answer = await product.request(`/account/deposit/${id}/slip`, { cookie: eve.cookie });
    app.files.get = get;
    expect(answer.status).toBe(503);
  });

  test("a form from another site is refused", async () => {
    const form = await formOf();
    const answer = await product.request("/account/deposit", {
      form,
      cookie: ada.cookie,
      origin: "https://evil.example",
    });
    expect(answer.status).toBe(403);
  });
});

describe("uploading ahead", () => {
  async function upload(bytes: Uint8Array | string, cookie?: string) {
    const form = new FormData();
    form.set("slip", new Blob([bytes as BlobPart]), "slip.png");
    return product.request("/account/deposit/draft", { form, ...(cookie && { cookie }) });
  }

  test("answers with a draft that the form may use", async () => {
    const eve = await somebody("Eve");
    const answer = await upload(await uniquePicture(), eve.cookie);
    const { slipId, name } = await answer.json();
    expect(name).toBe("slip.jpg");
    expect((await submit({ slip: null, slipId }, eve.cookie)).answer.status).toBe(302);
    expect(await depositsOf(eve.id)).toMatchObject([{ slip_id: slipId }]);
  });

  test("says in words why a file is refused", async () => {
    const answer = await upload("<svg/>", ada.cookie);
    expect(answer.status).toBe(400);
    expect((await answer.json()).error).toContain("This is not a JPEG");
  });

  test("a stranger uploads nothing", async () => {
    const before = await owner.query("select count(*) from deposit_slips");
    const answer = await upload(await uniquePicture());
    expect(answer.headers.get("location")).toContain("/login");
    const after = await owner.query("select count(*) from deposit_slips");
    expect(after.rows).toEqual(before.rows);
  });

  test("another customer's draft is no draft of mine", async () => {
    const { slipId } = await createTestSlip(app, ada.id, { name: "secret name.png" });
    const { answer, html } = await submit({ slip: null, slipId }, bob.cookie);
    expect(answer.status).toBe(400);
    expect(html).toContain("no longer there");
    expect(html).not.toContain("secret name");
    expect(fieldValue(html, "slipId")).toBeUndefined();
  });
});

describe("a deposit's own page", () => {
  test("shows claim and correction, quantity, transaction, evidence and what happened", async () => {
    const deposit = await createTestDeposit(app, {
      customerId: ada.id,
      claimedUsdCents: 100_000n,
      usdCents: 99_950n,
      quantityUnits: 1_234_567n,
      approvedBy: grace,
    });
    const answer = await product.request(`/account/deposit/${deposit.depositId}`, {
      cookie: ada.cookie,
    });
    const html = await answer.text();
    for (const words of [
      "$1,000.00",
      "$999.50",
      "0.01234567",
      deposit.txid,
      `/account/evidence/${deposit.transferId}`,
      "Approved",
    ]) {
      expect(html).toContain(words);
    }
  });

  test("says why a deposit was rejected, as text whatever it holds", async () => {
    const reason = "The slip shows <img src=x onerror=alert(1)>";
    const { depositId } = await createTestDeposit(app, {
      customerId: ada.id,
      rejectedBy: grace,
      reason,
    });
    const html = await (
      await product.request(`/account/deposit/${depositId}`, { cookie: ada.cookie })
    ).text();
    expect(html).toContain("The slip shows &lt;img src=x onerror=alert(1)&gt;");
    expect(html).not.toContain("<img src=x");
  });

  test("and its slip do not exist for another customer: not one byte", async () => {
    const { depositId } = await createTestDeposit(app, { customerId: ada.id });
    for (const path of ["", ".data", "/slip", "/slip.data"]) {
      const answer = await product.request(`/account/deposit/${depositId}${path}`, {
        cookie: bob.cookie,
      });
      expect(answer.status, path).toBe(404);
      const body = await answer.text();
      expect(body).not.toContain("slip.jpg");
      expect(body).not.toContain("JFIF");
    }
  });

  test.each([
    "x",
    "..%2f..%2fetc%2fpasswd",
    "00000000-0000-0000-0000-000000000000",
    "'%20or%201=1",
  ])("does not exist for the id %s", async (id) => {
    for (const path of ["", "/slip"]) {
      expect(
        (await product.request(`/account/deposit/${id}${path}`, { cookie: ada.cookie })).status,
      ).toBe(404);
    }
  });

  test("serves its slip to be shown and never to be run", async () => {
    const { depositId } = await createTestDeposit(app, { customerId: ada.id });
    const answer = await product.request(`/account/deposit/${depositId}/slip`, {
      cookie: ada.cookie,
    });
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/jpeg",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    });
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 3)
        .toString("hex"),
    ).toBe("ffd8ff");
  });
});
