/** Where an approved deposit's slip is shown to its owner: its `imageUrl`. */
export function slipPath(depositId: string): string {
  return `/account/deposit/${depositId}/slip`;
}

/** Where a deposit without a slip is shown to its owner: its `imageUrl`. */
export function depositPath(depositId: string): string {
  return `/account/deposit/${depositId}`;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text out of an address can be an id at all; PostgreSQL would refuse any other with an error. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
