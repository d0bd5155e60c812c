import type { Texts } from "#app/run-act.ts";
import { decided, meanwhile } from "./meanwhile.ts";

/** About who acts, about staff, and about a customer's account. */
export const identity: Texts = {
  "identity/operator-not-active": "Your right to act was removed a moment ago. Nothing was done.",
  "identity/not-permitted": "Your role no longer allows this. Nothing was done.",
  "identity/mfa-not-fresh":
    "You showed your second factor too long ago. Nothing was done. Press the button again: the page asks for it.",
  "identity/passkey-needed":
    "You have a passkey, but it cannot be asked for at this address. Nothing was done. Open the console at the site's own address, or remove the passkey under Security.",

  "identity/email-taken": {
    field: "email",
    text: "This address has an account already. Staff need one of their own",
  },
  "identity/no-such-operator": meanwhile("This person is not there any more. Nothing was changed."),
  "identity/nothing-to-change": meanwhile("It is like that already. Nothing was changed."),
  "identity/last-owner": meanwhile(
    "This is the last owner who can act. Nothing was changed. Make a colleague an owner first.",
  ),
  "identity/already-proposed": meanwhile(
    "The same person is in a proposal that waits already. Nothing was done. Decide that one first.",
  ),
  "identity/no-such-proposal": meanwhile("There is no such proposal. Nothing was done."),
  "identity/proposal-decided": decided,
  "identity/proposal-ended": meanwhile(
    "This proposal has ended: the person it concerned, or who made it, was changed meanwhile. Nothing was done.",
  ),
  "identity/proposal-expired": meanwhile(
    "This proposal waited for more than a week and has expired. Nothing was done. Propose it again.",
  ),
  "identity/own-proposal": meanwhile("Another owner has to confirm what you proposed."),
  "identity/concerns-oneself": meanwhile("This concerns you, so another owner decides it."),
  "identity/nobody-could-confirm": meanwhile(
    "Of two owners, only the one whom this concerns could confirm it. Nothing was proposed. That owner can be suspended on the server instead, as the owner's page says.",
  ),

  "identity/no-such-customer": "There is no such customer. Nothing was done.",
  "identity/account-closed":
    "This account is closed, so its customer could not read that you looked. Nothing was shown.",
  "identity/already-frozen": meanwhile("The account is frozen already. The page shows why."),
  "identity/not-frozen": meanwhile(
    "This freeze has ended. Nothing was done. The page shows how it is now.",
  ),
  "identity/no-factors": "The customer has no second factor. Nothing was done.",
  "identity/message-already-expired": {
    field: "expiresAt",
    text: "This moment has passed already",
  },
  "identity/reason-names-address": {
    field: "reason",
    text: "The customer reads this, so it names no address of a wallet",
  },
  "identity/message-names-address": {
    field: "text",
    text: "No address of a wallet: customers pay to what the page Deposit shows them. Name that page",
  },
  "identity/message-changed-meanwhile": meanwhile(
    "The message was changed while you looked at it. What stands there now is on this page; yours is kept in the form.",
  ),
  "identity/message-too-long": { field: "text", text: "The message is too long. Shorten it" },
};
