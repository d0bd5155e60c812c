/**
 * How far somebody has got with leaving: something is owed and paid out first (`waiting`); the account is closed and
 * can be opened again for a while (`leaving`); taken back (`kept`); what is personal is gone (`erased`).
 */
export type ClosingState = "waiting" | "leaving" | "kept" | "erased";
