/** Why a browser is no longer signed in: the session was idle, it expired, or it was ended elsewhere. */
export type SignedOut = "idle" | "over" | "ended";

export const signedOutWords: Record<SignedOut, string> = {
  idle: "We signed you out because you were inactive.",
  over: "Your session has expired.",
  ended: "Your session was ended on another device or by a password change.",
};
