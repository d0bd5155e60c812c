/** The page of the account that asked to be led back to; null for anything else. */
export function nextPage(asked: string | null): string | null {
  return asked !== null && /^\/account\/[a-z]+(?:\/[a-z]+)?(?:\?plan=[a-z0-9-]+)?$/.test(asked)
    ? asked
    : null;
}
