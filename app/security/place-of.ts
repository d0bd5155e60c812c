import type { RouterContextProvider } from "react-router";
import { countryName } from "#core/countries.ts";
import { appContext } from "#server/app-context.ts";

/** Puts beside an address its country, where the operator's file knows it: "203.0.113.9, Germany". */
export function placeOf(
  context: Readonly<RouterContextProvider>,
): <T extends { ipAddress: string | null }>(row: T) => T & { place: string | null } {
  const { ipCountry } = context.get(appContext);
  return (row) => {
    const country = ipCountry.find(row.ipAddress);
    return { ...row, place: country ? `${row.ipAddress}, ${countryName(country)}` : row.ipAddress };
  };
}
