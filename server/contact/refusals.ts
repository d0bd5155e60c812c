/** What PostgreSQL declines by a constraint's name, as this room's refusals. */
export const refusals = {
  customers_write_no_spam: "contact/is-no-spam",
  what_was_answered_is_no_spam: "contact/is-no-spam",
  answers_name_no_address: "contact/names-address",
};
