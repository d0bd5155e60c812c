/**
 * What is wrong with a telephone number as it was typed, before anybody asks whether it exists; null: nothing.
 * Spaces, hyphens, slashes and brackets between digits are how people write, not mistakes.
 */
export function phoneProblem(text: string): string | null {
  const typed = text.trim();
  if (/^[-−–]/.test(typed)) return "A phone number can't start with a minus";
  if (/\d[.,]\d/.test(typed)) return "A phone number can't include a decimal point";
  if (!/^\+?[\d\s()/–-]{1,40}$/.test(typed) || !/\d/.test(typed)) return notAPhone;
  return null;
}

export const notAPhone = "That doesn't look like a phone number";
