import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { readUpload } from "./read-upload.ts";

const limit = 100_000;

function read(body: BodyInit, headers: Record<string, string> = {}) {
  const request = new Request("http://127.0.0.1/", {
    method: "POST",
    body,
    headers,
    duplex: "half",
  } as RequestInit);
  const upload = { account: "ada", field: "slip", maxBytes: limit };
  return readUpload(request, upload, async (received) => received);
}

function form(slip?: Blob, name = "slip.jpg"): FormData {
  const data = new FormData();
  data.set("amount", "12.50");
  if (slip) data.set("slip", slip, name);
  data.set("after", "1");
  return data;
}

test("reads fields and file", async () => {
  const bytes = randomBytes(50_000);
  const { fields, file, refusal } = await read(form(new Blob([bytes]), "Überweisung.jpg"));
  expect(refusal).toBeNull();
  expect(Object.fromEntries(fields)).toEqual({ amount: "12.50", after: "1" });
  expect(file?.name).toBe("Überweisung.jpg");
  expect(Buffer.from(file?.bytes ?? [])).toEqual(bytes);
});

test("an input that was left empty is no file", async () => {
  const { file, refusal } = await read(form(new Blob([]), ""));
  expect([file, refusal]).toEqual([null, null]);
});

test("a file without content is a file, to be refused as such", async () => {
  const { file } = await read(form(new Blob([]), "slip.jpg"));
  expect(file).toMatchObject({ name: "slip.jpg", bytes: new Uint8Array() });
});

test("of two files in one field none is taken: nobody could say which was meant", async () => {
  const data = form(new Blob([randomBytes(10)]));
  data.append("slip", new Blob([randomBytes(10)]), "other.jpg");
  data.append("slip", new Blob([randomBytes(10)]), "third.jpg");
  const { fields, file, refusal } = await read(data);
  expect([file, refusal?.code]).toEqual([null, "files/more-than-one"]);
  expect(fields.get("after")).toBe("1");
});

test("a form without a file part, multipart or not, is a form", async () => {
  expect((await read(form())).fields.get("amount")).toBe("12.50");
  expect((await read(new URLSearchParams({ amount: "1" }))).fields.get("amount")).toBe("1");
});

test("a file that is one byte too large is refused, the fields before it stay", async () => {
  const { fields, file, refusal } = await read(form(new Blob([randomBytes(limit + 1)])));
  expect(refusal?.code).toBe("files/too-large");
  expect(file).toBeNull();
  expect(fields.get("amount")).toBe("12.50");
  expect((await read(form(new Blob([randomBytes(limit)])))).refusal).toBeNull();
});

test("2 GB are stopped after the limit, without being kept in memory", async () => {
  let sent = 0;
  const start = Buffer.from(
    '--B\r\ncontent-disposition: form-data; name="slip"; filename="x.jpg"\r\n\r\n',
  );
  const body = new ReadableStream({
    pull(controller) {
      if (sent > 2_000_000_000) return controller.close();
      controller.enqueue(sent === 0 ? start : Buffer.alloc(65_536));
      sent += 65_536;
    },
  });
  const { refusal } = await read(body, { "content-type": "multipart/form-data; boundary=B" });
  expect(refusal?.code).toBe("files/too-large");
  expect(sent).toBeLessThan(limit + 5 * 65_536);
});

test("two hundred fields, a header without end and a gigantic text are refused", async () => {
  const many = new FormData();
  for (let at = 0; at < 200; at += 1) many.set(`field${at}`, "x");
  expect((await read(many)).refusal?.code).toBe("files/unreadable-form");
  const header = Buffer.from(`--B\r\ncontent-disposition: form-data; name="${"x".repeat(100_000)}`);
  const type = { "content-type": "multipart/form-data; boundary=B" };
  expect((await read(header, type)).refusal?.code).toBe("files/unreadable-form");
  const text = new FormData();
  text.set("amount", "9".repeat(limit + 100_000));
  expect((await read(text)).refusal?.code).toBe("files/too-large");
});

test.each([
  [
    "half an upload",
    Buffer.from('--B\r\ncontent-disposition: form-data; name="slip"; filename="x"\r\n\r\nabc'),
    "multipart/form-data; boundary=B",
  ],
  ["no boundary", Buffer.from("--B--"), "multipart/form-data"],
  ["another boundary", Buffer.from("--C--"), "multipart/form-data; boundary=B"],
  ["JSON", Buffer.from("{}"), "application/json"],
  ["nothing", Buffer.from(""), "multipart/form-data; boundary=B"],
])("%s is refused", async (_, body, type) => {
  const { file, refusal } = await read(body, { "content-type": type });
  expect(refusal?.code).toBe("files/unreadable-form");
  expect(file).toBeNull();
});

test("a file under another name is ignored", async () => {
  const data = form(new Blob(["first"]));
  data.set("other", new Blob(["third"]), "c.jpg");
  const { file, fields } = await read(data);
  expect(Buffer.from(file?.bytes ?? []).toString()).toBe("first");
  expect(fields.has("other")).toBe(false);
});
