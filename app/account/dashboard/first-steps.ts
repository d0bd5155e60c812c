import { securityTerms } from "#core/people/security-terms.ts";

/** How far a customer is on the way to a first payout. */
export interface Progress {
  emailVerified: boolean;
  hasMfa: boolean;
  /** Until when coins cannot leave after a changed way in. */
  moneyHeldUntil: Date | null;
  hasCountry: boolean;
  hasDeposit: boolean;
  /** Deposits that wait for review. */
  pendingCount: number;
  /** From when the first withdrawal address can be used; null: there is none. */
  addressUsableFrom: Date | null;
}

export interface FirstStep {
  key: "email" | "factor" | "country" | "deposit" | "contract" | "address";
  title: string;
  /** What it takes. */
  takes: string;
  why: string;
  isDone: boolean;
  /** What is under way and needs nothing from the customer. */
  waits: { words: string; until: Date | null } | null;
  action: { to: string; label: string; elsewhere?: boolean };
}

const holdHours = securityTerms.changeHoldHours;

/** The steps of a new account in the order in which they are best taken. */
export function listFirstSteps(progress: Progress, now: Date): FirstStep[] {
  const { moneyHeldUntil, hasMfa, pendingCount, hasDeposit, addressUsableFrom } = progress;
  const isHeld = hasMfa && moneyHeldUntil !== null;
  return [
    {
      key: "email",
      title: "Verify your e-mail address",
      takes: "1 minute",
      why: "We write to this address about your coins.",
      isDone: progress.emailVerified,
      waits: null,
      action: { to: "/verify-email", label: "Verify e-mail", elsewhere: true },
    },
    {
      key: "factor",
      title: "Set up two-factor authentication (2FA)",
      takes: `2 minutes, then ${holdHours} hours until you can withdraw`,
      why: "It protects your coins if your password leaks. Withdrawals need it.",
      isDone: hasMfa,
      waits: isHeld ? { words: "Done. You can withdraw from", until: moneyHeldUntil } : null,
      action: { to: "/account/security", label: "Set up 2FA" },
    },
    {
      key: "country",
      title: "Declare your country",
      takes: "1 minute",
      why: "We may not serve everyone: the United States are excluded.",
      isDone: progress.hasCountry,
      waits: null,
      action: { to: "/account/verification", label: "Declare country" },
    },
    {
      key: "deposit",
      title: "Make a deposit",
      takes: "5 minutes, then the network’s confirmations",
      why: "Contracts and maintenance are paid from your balance.",
      isDone: hasDeposit,
      waits:
        !hasDeposit && pendingCount > 0
          ? { words: "Your deposit is being reviewed. We e-mail you.", until: null }
          : null,
      action: { to: "/account/deposit", label: "Make a deposit" },
    },
    {
      key: "contract",
      title: "Buy a contract",
      takes: "5 minutes; mining starts at 00:00 UTC",
      why: "You can return your first contract within 24 hours.",
      isDone: false,
      waits: null,
      action: { to: "/account/mining/buy", label: "Choose a contract" },
    },
    {
      key: "address",
      title: "Add a withdrawal address",
      takes: "2 minutes, then 24 hours until you can use it",
      why: "The wait gives you time to notice an address you did not add.",
      isDone: addressUsableFrom !== null,
      waits:
        addressUsableFrom && addressUsableFrom > now
          ? { words: "Done. You can use it from", until: addressUsableFrom }
          : null,
      action: { to: "/account/withdraw", label: "Add address" },
    },
  ];
}
