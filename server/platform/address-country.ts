import { countryName } from "#core/people/countries.ts";
import type { IpCountry } from "./ip-country.ts";

/** Puts beside an address its country, where the operator's file knows it: "203.0.113.9, Germany". */
export function withAddressCountry(
  ipCountry: Pick<IpCountry, "find">,
): <T extends { ipAddress: string | null }>(row: T) => T & { location: string | null } {
  return (row) => {
    const country = ipCountry.find(row.ipAddress);
    return {
      ...row,
      location: country ? `${row.ipAddress}, ${countryName(country)}` : row.ipAddress,
    };
  };
}
