/** Where a customer acts from: the account's history keeps it. */
export interface Browser {
  ipAddress: string;
  userAgent: string | null;
}
