import { notFound, type Texts } from "#app/run-act.ts";
import { meanwhile } from "./meanwhile.ts";

export const content: Texts = {
  "content/not-found": "There is no such piece. Nothing was saved.",
  "content/slug-taken": { field: "slug", text: "Another question has this name" },
  "content/not-a-slug": {
    field: "slug",
    text: "Small letters, digits and hyphens, for instance network-fee",
  },
  "content/unknown-placeholder":
    "The text has a placeholder that we do not know. Nothing was saved. Correct it and save again.",
  // The page itself shows what was saved, beside what is in the form.
  "content/changed-meanwhile": { text: "Another version was saved meanwhile.", status: 409 },
  "content/moved-meanwhile": meanwhile(
    "The questions were moved while you looked at them. This one was not moved. The page shows their order now.",
  ),
  "content/no-such-testimonial": notFound,
  "content/not-agreed": meanwhile(
    "The customer took these words back or changed them a moment ago. Nothing was published.",
  ),
  "content/no-active-contract": meanwhile(
    "Contracts are sold now, so only a customer with an active one can be shown, with its real net result. Nothing was published.",
  ),
  "content/no-such-customer": notFound,
  "content/invitation-too-long": "The invitation is too long. Nothing was sent.",
};
