/** Where an approved deposit's slip is shown to its owner: its `imageUrl`. */
export function slipPath(depositId: string): string {
  return `/account/deposit/${depositId}/slip`;
}

/** Where a deposit without a slip is shown to its owner: its `imageUrl`. */
export function depositPath(depositId: string): string {
  return `/account/deposit/${depositId}`;
}
