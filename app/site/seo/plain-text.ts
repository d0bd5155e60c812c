/** An answer of lines of text that caches may keep for an hour. */
export function plainText(lines: string[]): Response {
  return new Response(`${lines.join("\n")}\n`, {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "public, max-age=3600",
    },
  });
}
