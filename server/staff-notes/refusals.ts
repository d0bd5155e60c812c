/** What PostgreSQL declines by a constraint's name, as this room's refusals. */
export const refusals = {
  one_flag_of_a_kind_at_a_time: "staff-notes/flag-stands",
};
