/** What PostgreSQL declines by a constraint's name, of what staff do to an account. */
export const refusals = {
  freezes_name_no_address: "identity/reason-names-address",
  reasons_of_views_name_no_address: "identity/reason-names-address",
};
