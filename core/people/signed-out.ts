/** Why a browser is no longer signed in: the session was idle, it expired, or it is gone. */
export type SignedOut = "idle" | "over" | "ended";

export const signedOutWords: Record<SignedOut, string> = {
  idle: "We signed you out because you were inactive.",
  over: "Your session has expired.",
  // Of a session that is gone nobody knows: an hour after its time it is deleted, as when it is ended.
  ended: "Your session has expired, or was ended on another device or by a password change.",
};
