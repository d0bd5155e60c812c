/** Somebody who changes his own account from a session of his. */
export interface Actor {
  userId: string;
  sessionId: string;
  clientAddress: string;
  userAgent: string;
  now: Date;
}
