/** What PostgreSQL declines by a constraint's name, as this room's refusals. */
export const refusals = {
  one_plan_per_slug: "plans/slug-taken",
  slugs_are_plain: "plans/slug-not-plain",
  plans_are_named: "plans/unnamed",
  units_are_plausible: "plans/implausible-hashrate",
  terms_are_plausible: "plans/implausible-term",
  purchases_have_a_limit: "plans/implausible-limit",
  offers_are_above_zero: "plans/implausible-offer",
  prices_of_plans_are_plausible: "plans/implausible-price",
  machines_are_not_below_zero: "plans/implausible-price",
  setup_is_not_below_zero: "plans/implausible-price",
  maintenance_is_plausible: "plans/implausible-maintenance",
  energy_is_not_below_zero: "plans/implausible-maintenance",
  operation_is_not_below_zero: "plans/implausible-maintenance",
  published_plans_are_never_rewritten: "plans/not-a-draft",
  plans_go_one_way: "plans/not-a-draft",
};
