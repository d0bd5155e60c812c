/** What PostgreSQL declines by a constraint's name, as this room's refusals. */
export const refusals = {
  days_are_over_before_they_are_worked_out: "mining/day-not-over",
  days_are_worked_out_in_order: "mining/day-out-of-order",
  runs_rest_on_evidence: "mining/evidence-incomplete",
  days_have_a_price: "mining/no-price",
  corrections_follow_their_day: "mining/correction-too-early",
};
