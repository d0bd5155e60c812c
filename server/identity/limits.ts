import type { Limit } from "../platform/rate-limit.ts";

/**
 * How often a person may try. Each thing is counted by the place it comes from and by the account it aims at.
 * Places have room for an office behind one address. An account is counted by its e-mail address as typed,
 * whether or not it exists.
 */
export const limits = {
  signInByPlace: { purpose: "sign-in/place", max: 100, windowMinutes: 15 },
  /** Low enough against guessing, and only for the place it comes from: nobody can lock out somebody else. */
  signInByPlaceAndAccount: { purpose: "sign-in/place-account", max: 10, windowMinutes: 15 },
  /** Against guessing from many places at once. Nobody is locked out by it on a device that he has signed in on before. */
  signInByAccount: { purpose: "sign-in/account", max: 30, windowMinutes: 60 },
  signInByKnownDevice: { purpose: "sign-in/device", max: 10, windowMinutes: 15 },
  signUpByPlace: { purpose: "sign-up/place", max: 20, windowMinutes: 60 },
  signUpByAccount: { purpose: "sign-up/account", max: 5, windowMinutes: 60 },
  resetByPlace: { purpose: "reset/place", max: 20, windowMinutes: 60 },
  resetByAccount: { purpose: "reset/account", max: 5, windowMinutes: 60 },
  resendByPlace: { purpose: "resend/place", max: 20, windowMinutes: 60 },
  resendByAccount: { purpose: "resend/account", max: 5, windowMinutes: 60 },
  /** Codes shown by whoever knows the password already. */
  secondFactorByAccount: { purpose: "second-factor/account", max: 20, windowMinutes: 60 },
  /** Questions to authenticators; each is a row until it ends. */
  passkeyByPlace: { purpose: "passkey/place", max: 60, windowMinutes: 15 },
  /** The current password, asked again of who is signed in. */
  passwordAgainByAccount: { purpose: "password-again/account", max: 10, windowMinutes: 15 },
  /** Opening links and setting passwords behind them. */
  linkByPlace: { purpose: "link/place", max: 60, windowMinutes: 15 },
} as const satisfies Record<string, Limit>;
