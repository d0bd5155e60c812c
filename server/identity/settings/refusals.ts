/** What PostgreSQL declines by a constraint's name, of what staff write on a dashboard. */
export const refusals = {
  dashboard_messages_name_no_address: "identity/message-names-address",
};
