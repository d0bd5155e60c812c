import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { notScanned } from "#tests/factories/deposit.ts";
import { packedBy, packedObjects, receiptPdf } from "#tests/factories/slip-files.ts";
import { within } from "#tests/setup/slowness.ts";
import { cleanUpload } from "./clean-upload.ts";

const receiptHeic = readFileSync(new URL("../../../tests/fixtures/receipt.heic", import.meta.url));

const script = "<</S/JavaScript/JS(app.alert(1))>>";

function deflated(text: string): string {
  return deflateSync(Buffer.from(text, "latin1")).toString("latin1");
}

/** Rows of eight bytes, each as what it adds to the one above (PNG's predictor Up). */
function asRows(text: string): string {
  const bytes = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8), "latin1");
  const added = bytes.map((byte, at) => byte - (at < 8 ? 0 : (bytes[at - 8] ?? 0)));
  const rows = Array.from({ length: bytes.length / 8 }, (_, row) =>
    added.subarray(row * 8, row * 8 + 8),
  );
  return rows.map((row) => `\x02${Buffer.from(row).toString("latin1")}`).join("");
}

/** A photo with noise, and with a name and a place in its metadata. */
let photo: Buffer;

beforeAll(async () => {
  photo = await picture(1200, 900)
    .withExif({ IFD0: { Artist: "SOMEBODY" }, IFD3: { GPSLatitude: "48/1 12/1 30/1" } })
    .jpeg()
    .toBuffer();
});

function picture(width: number, height: number) {
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  return sharp({ create: { width, height, channels: 3, background: "#abc", noise } });
}

function clean(bytes: Uint8Array | string, name = "slip") {
  const file = { name, bytes: typeof bytes === "string" ? Buffer.from(bytes) : bytes };
  return cleanUpload(file, notScanned);
}

describe("accepts", () => {
  test.each([
    ["JPEG", () => photo],
    ["PNG", () => picture(300, 200).png().toBuffer()],
    [
      "PNG with 16 bits and an alpha channel",
      () => picture(30, 20).ensureAlpha(0.5).toColourspace("rgb16").png().toBuffer(),
    ],
    ["WebP", () => picture(300, 200).webp().toBuffer()],
    ["HEIC", () => receiptHeic],
  ])("%s, drawn anew as a JPEG", async (_, bytes) => {
    const file = await clean(await bytes());
    expect(file.mediaType).toBe("image/jpeg");
    expect((await sharp(file.bytes).metadata()).format).toBe("jpeg");
  });

  test("a HEIC photo as what it shows", async () => {
    const { data, info } = await sharp((await clean(receiptHeic)).bytes)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([96, 64]);
    const at = (12 * 96 + 30) * 3;
    expect([...data.subarray(at, at + 3)].map((tone) => Math.round(tone / 32))).toEqual([5, 2, 1]);
  });

  test("a PDF as it is", async () => {
    const pdf = receiptPdf();
    const file = await clean(pdf);
    expect(file).toMatchObject({ mediaType: "application/pdf" });
    expect(Buffer.from(file.bytes)).toEqual(pdf);
  });

  test("a PDF that opens at a page, and one with packed objects", async () => {
    const place = "/OpenAction [3 0 R /FitH null]";
    expect((await clean(receiptPdf({ catalog: place }))).mediaType).toBe("application/pdf");
    const packed = receiptPdf({ extra: packedObjects("<</Type/Font>>") });
    expect((await clean(packed)).mediaType).toBe("application/pdf");
  });

  test.each([
    "binance.com.jpg",
    "My receipt 21.11.2026.jpeg",
    "Überweisung",
    "10.50",
    "IMG_1.HEIC",
  ])("the name %s", async (name) => {
    await expect(clean(photo, name)).resolves.toBeDefined();
  });
});

test("nothing of a photo's metadata survives", async () => {
  expect(photo.includes("SOMEBODY")).toBe(true);
  const { bytes } = await clean(photo);
  expect(Buffer.from(bytes).includes("SOMEBODY")).toBe(false);
  expect((await sharp(bytes).metadata()).exif).toBeUndefined();
});

test("a photo taken on its side is turned upright", async () => {
  const turned = await picture(60, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const { width, height } = await sharp((await clean(turned)).bytes).metadata();
  expect([width, height]).toEqual([40, 60]);
});

describe("refuses", () => {
  const eicar = "X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*";
  test.each<[string, string, () => Uint8Array | string | Promise<Uint8Array>, string?]>([
    ["nothing", "files/empty", () => ""],
    [
      "SVG",
      "files/unknown-type",
      () => '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    ],
    [
      "SVG that calls itself XML",
      "files/unknown-type",
      () => '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    ],
    ["HTML", "files/unknown-type", () => "<!doctype html><script>alert(1)</script>"],
    ["HTML called slip.jpg", "files/unknown-type", () => "<html>", "slip.jpg"],
    ["text that virus scanners know", "files/unknown-type", () => eicar],
    ["GIF", "files/unknown-type", () => picture(9, 9).gif().toBuffer()],
    ["AVIF called HEIC", "files/unknown-type", () => picture(64, 64).avif().toBuffer(), "a.heic"],
    ["TIFF", "files/unknown-type", () => picture(9, 9).tiff().toBuffer()],
    [
      "ZIP",
      "files/unknown-type",
      () => Buffer.from(`504b0304${"00".repeat(26)}504b0506${"00".repeat(18)}`, "hex"),
    ],
    [
      "a program",
      "files/unknown-type",
      () => Buffer.concat([Buffer.from("MZ"), Buffer.alloc(500, 7)]),
    ],
    ["a picture called slip.jpg.exe", "files/misleading-name", () => photo, "slip.jpg.exe"],
    ["a picture called slip.php.jpg", "files/misleading-name", () => photo, "slip.php.jpg"],
    ["a picture called ../../slip.html", "files/misleading-name", () => photo, "../../slip.html"],
    [
      "a picture that is a web page too",
      "files/two-things-at-once",
      () => Buffer.concat([photo, Buffer.from("<SCRIPT>alert(1)</SCRIPT>")]),
    ],
    [
      "a picture that is a ZIP too",
      "files/two-things-at-once",
      () => Buffer.concat([photo, Buffer.from("PK\x05\x06"), Buffer.alloc(18)]),
    ],
    [
      "a PDF that is a ZIP too",
      "files/two-things-at-once",
      () =>
        Buffer.concat([
          Buffer.from("%PDF-1.7\n"),
          Buffer.from("PK\x05\x06"),
          Buffer.alloc(18),
          Buffer.from("%%EOF"),
        ]),
    ],
    [
      "a PDF that is a web page too",
      "files/two-things-at-once",
      () => "%PDF-1.7\n<html><script>alert(1)</script>\n%%EOF",
    ],
    ["half a JPEG", "files/damaged", () => photo.subarray(0, photo.length / 2)],
    [
      "half a PNG",
      "files/damaged",
      async () => (await picture(300, 200).png().toBuffer()).subarray(0, 20_000),
    ],
    [
      "half a WebP",
      "files/damaged",
      async () => (await picture(300, 200).webp().toBuffer()).subarray(0, 4000),
    ],
    ["half a HEIC", "files/damaged", () => receiptHeic.subarray(0, 500)],
    [
      "a PNG's first bytes and noise",
      "files/damaged",
      () =>
        Buffer.concat([
          Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
          Buffer.alloc(500, 3),
        ]),
    ],
    ["half a PDF", "files/damaged", () => receiptPdf().subarray(0, 100)],
  ])("%s with %s", async (_, code, bytes, name) => {
    await expect(clean(await bytes(), name)).rejects.toMatchObject({ code });
  });

  test.each([
    ["JavaScript", { catalog: "/OpenAction<</S/JavaScript/JS(app.alert(1))>>" }],
    ["JavaScript, spelled with digits", { catalog: "/Names<</J#61vaScript 4 0 R>>" }],
    ["an action by reference", { catalog: "/OpenAction 4 0 R" }],
    ["an action on a page", { catalog: "/AA<</O 4 0 R>>" }],
    ["a program to start", { extra: "<</S/Launch/F(cmd.exe)>>" }],
    ["an embedded file", { extra: "<</Type/EmbeddedFile>>" }],
    ["a way into another file", { extra: "<</S/GoToR/F(other.pdf)/D[0/Fit]>>" }],
    ["a way into another file, spelled with digits", { extra: "<</S/G#6fToR/F(//host/share)>>" }],
    ["a rendition", { extra: "<</S/Rendition/OP 0/R 5 0 R>>" }],
    ["a film", { extra: "<</Subtype/Movie/Movie<</F(film.mov)>>>>" }],
    ["a sound", { extra: "<</S/Sound/Sound 5 0 R>>" }],
    ["a thread to another file", { extra: "<</S/Thread/F(other.pdf)/D 0>>" }],
    ["a command of the reader", { extra: "<</S/Named/N/Print>>" }],
    [
      "a command of the reader among packed objects",
      { extra: packedObjects("<</S/Named/N/Print>>") },
    ],
    ["a form that is emptied", { extra: "<</S/ResetForm>>" }],
    ["layers that are switched", { extra: "<</S/SetOCGState/State[/ON 5 0 R]>>" }],
    ["notes that are hidden", { extra: "<</S/Hide/T(note)>>" }],
    ["an XFA form", { catalog: "/AcroForm<</XFA 4 0 R>>" }],
    ["JavaScript among packed objects", { extra: packedObjects(script) }],
    [
      "JavaScript in what pretends to be packed",
      { extra: "(>>stream\n<</S/JavaScript/JS(1)>>\nendstream)" },
    ],
    [
      "objects packed twice",
      { extra: `<</Type/ObjStm/Filter[/ASCIIHexDecode/FlateDecode]>>stream\n00\nendstream` },
    ],
    [
      "a script as differences",
      {
        extra: packedBy(
          deflated(asRows(`9 0 ${script}`)),
          "/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 8>>",
        ),
      },
    ],
    [
      "a script packed twice",
      { extra: packedBy(deflated(deflated(`9 0 ${script}`)), "/Filter[/FlateDecode/FlateDecode]") },
    ],
    ["a script in a list that says obj before", { extra: packedObjects(script, "/X(obj)") }],
    [
      "a script in a list that says stream before",
      { extra: packedObjects(script, "/X(stream\n)") },
    ],
    [
      "a script in a list after a space",
      { extra: packedObjects(script).replace("stream\n", "stream \n") },
    ],
    [
      "a script in a list after half a line's end",
      { extra: packedObjects(script).replace("stream\n", "stream\r") },
    ],
  ])("a PDF with %s", async (_, parts) => {
    await expect(clean(receiptPdf(parts))).rejects.toMatchObject({ code: "files/active-content" });
  });

  test("a PDF under a password, because nobody can look inside", async () => {
    const encrypted = receiptPdf({ trailer: "/Encrypt 9 0 R" });
    await expect(clean(encrypted)).rejects.toMatchObject({ code: "files/encrypted" });
  });

  test("a PDF whose packed objects unpack to 100 MB", async () => {
    const bomb = receiptPdf({ extra: packedObjects("\0".repeat(100_000_000)) });
    expect(bomb.length).toBeLessThan(200_000);
    await expect(clean(bomb)).rejects.toMatchObject({ code: "files/too-large-inside" });
  });

  test.each([
    ["", "stream\n"],
    ["1 0 obj<<>>", "stream\n"],
    ["1 0 obj<</Type/ObjStm>>", "stream\n"],
    ["", "1 0 obj<</Type/ObjStm>>stream\n"],
  ])(
    "ten megabytes of PDF that wear a reader out, soon: %s %j",
    async (before, repeated) => {
      const many = repeated.repeat(10_000_000 / repeated.length);
      const started = performance.now();
      const refused = clean(`%PDF-1.7\n${before}${many}endstream\n%%EOF`);
      await refused.catch(() => {});
      expect(performance.now() - started).toBeLessThan(within(5_000));
    },
    20_000,
  );

  test("three million names spelled with digits are read aside: requests are answered meanwhile", async () => {
    let turns = 0;
    let isDone = false;
    const turn = () => {
      turns += 1;
      if (!isDone) setTimeout(turn);
    };
    setTimeout(turn);
    const refused = clean(`%PDF-1.7\n${"#4a".repeat(3_000_000)}/JS\n%%EOF`);
    await expect(refused).rejects.toMatchObject({ code: "files/active-content" });
    isDone = true;
    expect(turns).toBeGreaterThan(10);
  });

  test("a picture of 256 megapixels in a few kilobytes, without drawing it", async () => {
    const blank = { width: 16_000, height: 16_000, channels: 3, background: "#000" } as const;
    const bomb = await sharp({ create: blank }).png().toBuffer();
    const before = process.memoryUsage().rss;
    await expect(clean(bomb)).rejects.toMatchObject({ code: "files/too-many-pixels" });
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });
});

test("many uploads at once are cleaned one after another, and one that fails holds up nobody", async () => {
  const bad = photo.subarray(0, 5000);
  const done = await Promise.allSettled(
    [photo, bad, bad, bad, photo, photo].map((bytes) => clean(bytes)),
  );
  expect(done.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "rejected",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
});
