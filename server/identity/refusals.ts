/** What PostgreSQL declines by a constraint's name: what became of the account since its password or passkey was checked. */
export const refusals = {
  frozen_accounts_change_nothing: "identity/account-frozen",
  closed_accounts_have_no_sessions: "identity/sign-in-failed",
  suspended_staff_have_no_sessions: "identity/sign-in-failed",
  mfa_is_asked_of_users_who_have_it_and_of_staff: "identity/sign-in-failed",
};
