/**
 * In the console's texts: something came in the way meanwhile, and the page is read anew (`readAfterConflict`). Its form may be gone by
 * then, so the words are above the page (keep-page.tsx). They name nobody: it may have been the reader, whose answer was lost.
 */
export const meanwhile = (text: string) => ({ text, status: 409, meanwhile: true as const });

/** Where only one can decide. */
export const decided = meanwhile(
  "This is decided already, and nothing was done twice. The page shows how.",
);
