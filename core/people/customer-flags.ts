/** What staff ask each other to mind about a customer, for a while. Few, so that each one is looked at. */
export const flagKinds = [
  "look-closer-at-deposits",
  "look-closer-at-withdrawals",
  "look-closer-at-identity",
  "ask-an-owner-first",
] as const;
export type FlagKind = (typeof flagKinds)[number];

export const flagWords: Record<FlagKind, string> = {
  "look-closer-at-deposits": "Look closer at deposits",
  "look-closer-at-withdrawals": "Look closer at withdrawals",
  "look-closer-at-identity": "Look closer at identity",
  "ask-an-owner-first": "Ask an owner before you decide",
};

/** How long a flag may stand; who still needs it raises it again, with a reason that is true then. */
export const flagDays = [7, 30, 90, 365] as const;
