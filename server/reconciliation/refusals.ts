/** What PostgreSQL declines by a constraint's name, as this room's refusals. */
export const refusals = {
  evidence_proves_one_thing: "adjustments/evidence-not-found",
  who_proposed_is_on_the_staff: "reconciliation/proposer-left",
};
