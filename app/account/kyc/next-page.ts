/** The page of the account, with what its address fills in, that asked to be led back to; null for anything else. */
export function nextPage(asked: string | null): string | null {
  return asked !== null && asked.length <= 300 && pattern.test(asked) ? asked : null;
}

const pattern =
  /^\/account\/[a-z]+(?:\/[a-z]+)?(?:\?[a-z]+=[A-Za-z0-9-]*(?:&[a-z]+=[A-Za-z0-9-]*)*)?$/;
