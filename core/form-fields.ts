/** More than the largest form of the product has: a batch of payments, with a box for each. */
export const maxFields = 2000;

/** What a form is told that lacks what the page itself sends: it was loaded before the product became another. */
export const oldPage = "Please reload the page and try again";

/**
 * Whether a form of the product can have a field of this name: single words, such as `email`, `submissionKey` or `answer-income`.
 * Names that every object has (`constructor`) are none.
 */
export function isFieldName(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name) && !(name in Object.prototype);
}
