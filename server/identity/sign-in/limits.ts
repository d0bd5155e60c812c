import type { Limit } from "../../platform/rate-limit.ts";

/**
 * How often a person may try. Each thing is counted by the client's network and by the account it aims at.
 * A network has room for an office behind one address. An account is counted by its e-mail address as typed,
 * whether or not it exists.
 */
export const limits = {
  signInByNetwork: { purpose: "sign-in/network", max: 100, windowMinutes: 15 },
  /** Low enough against guessing, and only for the network it comes from: no one can lock out another person. */
  signInByNetworkAndAccount: { purpose: "sign-in/network-account", max: 10, windowMinutes: 15 },
  /** Against guessing from many networks at once. A device that has signed in before is exempt. */
  signInByAccount: { purpose: "sign-in/account", max: 30, windowMinutes: 60 },
  signInByKnownDevice: { purpose: "sign-in/device", max: 10, windowMinutes: 15 },
  /** Browsers that nobody knows, by subnet: one person may hold many addresses of it. */
  signInBySubnet: { purpose: "sign-in/subnet", max: 300, windowMinutes: 15 },
  /** And over the whole site: for nothing, for a solved task, and for having waited (effort.ts). */
  signInByNothing: { purpose: "sign-in/nothing", max: 300, windowMinutes: 5 },
  signInByWork: { purpose: "sign-in/work", max: 6_000, windowMinutes: 5 },
  signInByPatience: { purpose: "sign-in/patience", max: 60, windowMinutes: 5 },
  signInByPatienceNetwork: { purpose: "sign-in/patience/network", max: 5, windowMinutes: 15 },
  signUpByNetwork: { purpose: "sign-up/network", max: 20, windowMinutes: 60 },
  signUpByAccount: { purpose: "sign-up/account", max: 5, windowMinutes: 60 },
  /** Each sends a mail to an address that may be a stranger's, so their sum has an end. */
  signUpByNothing: { purpose: "sign-up/nothing", max: 300, windowMinutes: 60 },
  signUpByWork: { purpose: "sign-up/work", max: 600, windowMinutes: 60 },
  signUpByPatience: { purpose: "sign-up/patience", max: 30, windowMinutes: 60 },
  signUpByPatienceNetwork: { purpose: "sign-up/patience/network", max: 3, windowMinutes: 60 },
  /** Its owner need not hear of each try: beyond it the answer stays the same, and no mail goes. */
  alreadyRegistered: { purpose: "sign-up/told-owner", max: 2, windowMinutes: 1440 },
  resetByNetwork: { purpose: "reset/network", max: 20, windowMinutes: 60 },
  resetByAccount: { purpose: "reset/account", max: 5, windowMinutes: 60 },
  /** A mailbox is not to be filled with our links. */
  resetByAccountADay: { purpose: "reset/account/day", max: 10, windowMinutes: 1440 },
  resetByNothing: { purpose: "reset/nothing", max: 200, windowMinutes: 60 },
  resetByWork: { purpose: "reset/work", max: 600, windowMinutes: 60 },
  resetByPatience: { purpose: "reset/patience", max: 30, windowMinutes: 60 },
  resetByPatienceNetwork: { purpose: "reset/patience/network", max: 3, windowMinutes: 60 },
  resendByNetwork: { purpose: "resend/network", max: 20, windowMinutes: 60 },
  resends: { purpose: "resend/all", max: 300, windowMinutes: 60 },
  resendByAccountADay: { purpose: "resend/account/day", max: 8, windowMinutes: 1440 },
  resendByAccount: { purpose: "resend/account", max: 5, windowMinutes: 60 },
  /** Six digits, typed by strangers who know the password already, whoever they are: the account's. */
  codesOfStrangers: { purpose: "mfa/account", max: 20, windowMinutes: 60 },
  codesOfStrangersADay: { purpose: "mfa/account/day", max: 30, windowMinutes: 1440 },
  /** In a browser that has signed in to the account before, and in an open session: each its own, so that no stranger ends them. */
  codesOfDevice: { purpose: "mfa/device", max: 20, windowMinutes: 60 },
  codesOfDeviceADay: { purpose: "mfa/device/day", max: 40, windowMinutes: 1440 },
  codesInSession: { purpose: "mfa/session", max: 20, windowMinutes: 60 },
  codesInSessionADay: { purpose: "mfa/session/day", max: 40, windowMinutes: 1440 },
  /** Of an app that is being set up: nothing is guessed by somebody who has its secret at hand. */
  codesOfNewApp: { purpose: "mfa/new-app", max: 20, windowMinutes: 60 },
  /** Changes of one's own factors: each writes for ever, and a mail that goes before others. */
  factorChangesAnHour: { purpose: "mfa/change/hour", max: 10, windowMinutes: 60 },
  factorChangesADay: { purpose: "mfa/change/day", max: 30, windowMinutes: 1440 },
  /** At so many wrong ones the owner is told. They refuse nothing. */
  wrongCodes: { purpose: "mfa/wrong", max: 5, windowMinutes: 1440 },
  wrongCodesInside: { purpose: "mfa/wrong-inside", max: 5, windowMinutes: 1440 },
  /** Questions to authenticators; each is a row until it ends. */
  passkeyByNetwork: { purpose: "passkey/network", max: 60, windowMinutes: 15 },
  /** The current password, asked again of who is signed in. */
  passwordAgainByAccount: { purpose: "password-again/account", max: 10, windowMinutes: 15 },
  passwordAgainBySession: { purpose: "password-again/session", max: 10, windowMinutes: 15 },
  /** Each sends mail, one of them to an address that may be a stranger's. */
  emailChangeByNetwork: { purpose: "email-change/network", max: 20, windowMinutes: 60 },
  emailChangeByAccount: { purpose: "email-change/account", max: 5, windowMinutes: 60 },
  emailChanges: { purpose: "email-change/all", max: 120, windowMinutes: 60 },
  emailChangeByAddress: { purpose: "email-change/address", max: 3, windowMinutes: 1440 },
  /** Opening links and setting passwords behind them. */
  linkByNetwork: { purpose: "link/network", max: 60, windowMinutes: 15 },
} as const satisfies Record<string, Limit>;
