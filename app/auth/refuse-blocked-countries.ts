import { data, type MiddlewareFunction } from "react-router";
import { countryName } from "#core/people/countries.ts";
import { appContext, requestContext } from "#server/app-context.ts";

/** Where an account is opened or entered. Links from mails work from everywhere. */
const entrances = /^\/(?:login|signup)\/?$/i;

/** Turns away who comes from a country that the operator blocks. The page says why: app/ui/page/error-page.tsx. */
export const refuseBlockedCountries: MiddlewareFunction<Response> = ({ url, context }) => {
  if (!entrances.test(url.pathname)) return;
  const { clientAddress } = context.get(requestContext);
  const { config, ipCountry } = context.get(appContext);
  const country = ipCountry.findBlocked(clientAddress);
  if (country === null) return;
  throw data(
    { blockedCountry: countryName(country), siteName: config.siteName },
    { status: 451, statusText: "Unavailable For Legal Reasons" },
  );
};
