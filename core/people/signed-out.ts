/** Why a browser that was signed in is so no more: nobody used it, its time was over, or it was ended elsewhere. */
export type SignedOut = "unused" | "over" | "ended";

export const signedOutWords: Record<SignedOut, string> = {
  unused: "This session ended because it was not used for a while.",
  over: "The time of this session was over.",
  ended: "This session was ended: elsewhere, or by a changed password.",
};
