/** Why a browser is no longer signed in: the session was idle, it expired, or it is gone. */
export type SignedOut = "idle" | "over" | "ended";

export const signedOutWords: Record<SignedOut, string> = {
  idle: "We signed you out because you were inactive.",
  over: "Your session has expired.",
  // Nobody knows why a session is gone: an expired one is deleted within an hour, an ended one at once.
  ended: "Your session has expired, or was ended on another device or by a password change.",
};
