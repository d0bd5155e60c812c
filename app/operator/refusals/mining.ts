import type { Texts } from "#app/run-act.ts";
import { meanwhile } from "./meanwhile.ts";

export const mining: Texts = {
  "mining/day-not-over": "This day is not over yet, in UTC.",
  "mining/day-changed": meanwhile(
    "What this day is credited from has changed since you looked at it. Nothing was credited. The page shows how it is now.",
  ),
  "mining/day-out-of-order": "Days are credited in their order. Another one comes first.",
  "mining/evidence-incomplete": meanwhile(
    "Not every pool that counts has a recorded payout for this day. The page shows which.",
  ),
  "mining/settings-changed-meanwhile": meanwhile(
    "These settings were changed while you looked at them. What holds now is on this page. Nothing was changed by this form.",
  ),
  "mining/no-price": "No price of BTC is known for this day yet.",
};
