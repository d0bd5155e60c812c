/** What PostgreSQL declines by a constraint's name, as this room's refusals. */
export const refusals = {
  one_deep_reorg_from_a_branch: "chain/deep-reorg-proposed",
  deep_reorgs_are_from_what_was_read: "chain/changed-meanwhile",
  deep_reorgs_need_two_people: "chain/own-deep-reorg",
  who_proposed_is_on_the_staff: "chain/proposer-left",
};
