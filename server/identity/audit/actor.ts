/** A user who changes their own account, and the session they use. */
export interface Actor {
  userId: string;
  sessionId: string;
  clientAddress: string;
  userAgent: string;
  now: Date;
}
