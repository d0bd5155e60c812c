/** What PostgreSQL declines by a constraint's name, as this room's refusals. */
export const refusals = {
  one_departure_from_a_branch: "chain/departure-proposed",
  departures_are_from_what_was_read: "chain/changed-meanwhile",
  departures_need_two_people: "chain/own-departure",
  who_proposed_is_on_the_staff: "chain/proposer-left",
};
