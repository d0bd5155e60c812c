import { conflict, type Texts } from "#app/run-act.ts";

export const mining: Texts = {
  "mining/day-not-over": "This day is not over yet, in UTC.",
  "mining/day-out-of-order": "Days are credited in their order. Another one comes first.",
  "mining/evidence-incomplete": "Not every pool that counts has a recorded payout for this day.",
  "mining/settings-changed-meanwhile": conflict(
    "A colleague changed these settings while you looked at them. What holds now is on this page. Nothing was changed.",
  ),
  "mining/no-price": "No price of BTC is known for this day yet.",
};
