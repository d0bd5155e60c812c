/** More than the largest form of the product has: a batch of payments, with a box for each. */
export const maxFields = 2000;

/**
 * Whether a form of the product can have a field of this name: single words, such as `email`, `submissionKey` or `answer-income`.
 * Names that every object has (`constructor`) are none.
 */
export function isFieldName(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name) && !(name in Object.prototype);
}
