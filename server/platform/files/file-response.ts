export interface ShownFile {
  bytes: Uint8Array;
  mediaType: "image/jpeg" | "application/pdf";
  name: string;
}

/**
 * An uploaded file as an answer that a browser shows or saves but never runs. Pictures are shown in place; a PDF is
 * saved, because viewers of PDFs run what stands in them.
 */
export function fileResponse({ bytes, mediaType, name }: ShownFile): Response {
  const disposition = mediaType === "image/jpeg" ? "inline" : "attachment";
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const utf8 = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return new Response(new Uint8Array(bytes), {
    headers: {
      "content-type": mediaType,
      "content-length": String(bytes.length),
      "content-disposition": `${disposition}; filename="${ascii}"; filename*=UTF-8''${utf8}`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "private, no-store",
    },
  });
}
