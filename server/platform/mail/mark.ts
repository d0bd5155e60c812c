import { readFileSync } from "node:fs";

const png = readFileSync(new URL("./mark.png", import.meta.url));

/**
 * The site's mark goes along inside each mail: mail programs that load nothing from elsewhere show it, and no server learns
 * that a mail was opened.
 */
export const markAttachment = {
  filename: "mark.png",
  content: png,
  contentType: "image/png",
  cid: "mark@mail",
  contentDisposition: "inline",
} as const;

/** A mail's HTML as a browser can show it, which knows nothing of attachments. */
export function forBrowser(html: string): string {
  const source = `data:image/png;base64,${png.toString("base64")}`;
  return html.replaceAll(`cid:${markAttachment.cid}`, source);
}
