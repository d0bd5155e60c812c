import type { MetaDescriptor } from "react-router";
import { siteOf } from "#app/ui/page/page-meta.ts";
import type { Company } from "#server/content/content.ts";

/** Who stands behind the site, for search engines (schema.org). Only what the operator has entered. */
export function organization(
  matches: Parameters<typeof siteOf>[0],
  company: Company | null,
): MetaDescriptor[] {
  const site = siteOf(matches);
  if (!site) return [];
  const known = {
    legalName: company?.name,
    address: company?.postalAddress.replaceAll("\n", ", "),
    email: company?.email,
    telephone: company?.phone,
  };
  return [
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "Organization",
        name: site.siteName,
        url: `${site.appUrl}/`,
        logo: `${site.appUrl}/icon-512.png`,
        ...Object.fromEntries(Object.entries(known).filter(([, value]) => value)),
      },
    },
  ];
}
