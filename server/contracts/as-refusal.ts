import { Refusal } from "#core/refusal.ts";

/** What PostgreSQL refuses by a constraint's name, as the room's listed refusals. */
const refusalByConstraint: Record<string, string> = {
  hashrate_is_sold_once: "contracts/not-enough-hashrate",
  plans_are_sold_as_far_as_offered: "contracts/not-enough-hashrate",
  contracts_are_what_was_quoted: "contracts/plan-not-offered",
  sales_need_full_coverage: "contracts/sales-stopped",
  closed_accounts_buy_nothing: "contracts/account-closed",
};

/** The refusal behind a database error, or the error as it was. */
export function asRefusal(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const constraint = "constraint" in cause ? cause.constraint : undefined;
    if (typeof constraint === "string" && Object.hasOwn(refusalByConstraint, constraint)) {
      return new Refusal(refusalByConstraint[constraint] as string);
    }
  }
  return error;
}
