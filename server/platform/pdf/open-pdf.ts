import { readFileSync } from "node:fs";
import path from "node:path";
import PDFDocument from "pdfkit";

/** The site's colours on paper. */
export const ink = { text: "#16181D", muted: "#5B5F69", accent: "#A84F20", hairline: "#D9D5CC" };

interface Paper {
  title: string;
  author: string;
  /** Stands in the file: without any other moment in it, two copies are the same byte for byte. */
  at: Date;
  margin?: number;
}

/**
 * Begins a document on A4 with the fonts `serif` and `sans`; `finish` ends it and gives its bytes.
 */
export function openPdf({ title, author, at, margin = 64 }: Paper): {
  doc: PDFKit.PDFDocument;
  finish(): Promise<Buffer>;
} {
  const doc = new PDFDocument({
    size: "A4",
    margins: { top: margin, bottom: margin, left: margin, right: margin },
    lang: "en",
    displayTitle: true,
    font: "",
    info: { Title: title, Author: author, CreationDate: at, ModDate: at },
  } as PDFKit.PDFDocumentOptions);
  const done = collect(doc);
  doc.registerFont("serif", fonts.serif());
  doc.registerFont("sans", fonts.sans());
  const finish = () => {
    doc.end();
    return done;
  };
  return { doc, finish };
}

/** Read when the first document is printed. */
const fonts = { serif: font("source-serif-4-latin"), sans: font("inter-latin") };

function font(name: string): () => Buffer {
  let bytes: Buffer | undefined;
  return () => {
    bytes ??= readFileSync(path.join(import.meta.dirname, "fonts", `${name}.ttf`));
    return bytes;
  };
}

function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  const parts: Buffer[] = [];
  return new Promise((resolve, reject) => {
    doc.on("data", (part: Buffer) => parts.push(part));
    doc.on("end", () => resolve(Buffer.concat(parts)));
    doc.on("error", reject);
  });
}
