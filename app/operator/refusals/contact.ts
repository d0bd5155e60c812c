import { notFound, type Texts } from "#app/run-act.ts";
import { meanwhile } from "./meanwhile.ts";

export const contact: Texts = {
  "contact/no-such-thread": notFound,
  "contact/thread-changed": meanwhile(
    "This thread changed meanwhile: a colleague acted, or the sender wrote again. Read what is new below, then press the button again if you still mean it.",
  ),
  "contact/is-no-spam":
    "A customer wrote this, or we answered it, so it is no spam. Close it if it needs no answer.",
  "contact/names-address": {
    field: "text",
    text: "No address of a wallet: customers pay to what the page Deposit shows them. Name that page, the transaction, or an address by its first and last six signs",
  },
  "contact/reply-missing": { field: "text", text: "Write an answer" },
};
