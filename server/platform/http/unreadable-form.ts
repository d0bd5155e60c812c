/**
 * Whether what was sent is no form, or a broken one: what undici throws when it is read as one (Fetch, `formData()`). A browser
 * sends neither; it is nothing to look into.
 */
export function isUnreadableForm(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /^(?:Content-Type was not one of|Failed to parse body as FormData)/.test(error.message)
  );
}
