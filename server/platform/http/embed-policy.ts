/**
 * The policy of the one document that may load a widget of the charting provider's: its script and its frame,
 * from the provider's hosts and no other. The site's own pages show that document in a frame and keep their own
 * policy, which names no other host.
 */
export function embedPolicy(page: {
  nonce: string;
  scriptOrigin: string;
  frameOrigins: string[];
}): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${page.nonce}' ${page.scriptOrigin}`,
    `frame-src ${page.frameOrigins.join(" ")}`,
    // The provider's script writes styles of its own.
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    // Whoever opens the document by its address gets it under the same rule as in the frame: of no origin.
    "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox",
  ].join("; ");
}
