import { withdrawalTerms } from "#core/payments/withdrawal.ts";
import type { Constants } from "#core/terms.ts";

/** The statements that write the terms where PostgreSQL holds itself to them: `terms_in_force`. Those of before stay, for the verification. */
export function termsInForce({ terms }: Pick<Constants, "terms">): string {
  const values = {
    minimum_withdrawal_sats: terms.minimumWithdrawalSats,
    withdrawal_hold: `interval '${terms.cardHoldDays} days'`,
    final_payment: `interval '${withdrawalTerms.finalPaymentDays * 24} hours'`,
    quote: `interval '${terms.quoteSeconds} seconds'`,
    cooling_off: `interval '${terms.coolingOffHours} hours'`,
    unpaid_maintenance: `interval '${terms.terminationClauseHours} hours'`,
    maintenance_notice: `interval '${terms.maintenanceChangeNoticeDays} days'`,
    inactivity_after_days: terms.inactivityAfterDays,
    inactivity_notice_days: terms.inactivityNoticeDays,
    inactivity_fee_per_million: terms.inactivityFeePerMillion,
    inactivity_fee_minimum_sats: terms.inactivityFeeMinimumSats,
  };
  return `
    alter table terms_in_force disable trigger terms_are_written_by_the_start;
    alter table former_terms disable trigger terms_are_written_by_the_start;
    insert into former_terms (table terms_in_force except table former_terms);
    delete from terms_in_force;
    insert into terms_in_force (${Object.keys(values).join(", ")}) values (${Object.values(values).join(", ")});
    alter table terms_in_force enable always trigger terms_are_written_by_the_start;
    alter table former_terms enable always trigger terms_are_written_by_the_start;
  `;
}
