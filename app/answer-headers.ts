/** The headers of a page after its action: of those that it set, React Router passes on only the cookies by itself. */
export function answerHeaders({
  actionHeaders,
}: {
  actionHeaders: Headers;
}): Record<string, string> {
  const retryAfter = actionHeaders.get("Retry-After");
  return retryAfter ? { "Retry-After": retryAfter } : {};
}
