/** What PostgreSQL says of a site. */
export const siteRefusals = {
  one_site_per_name: "fleet/site-name-taken",
  sites_are_named: "fleet/site-unnamed",
  sites_are_somewhere: "fleet/site-unnamed",
};
