import { browserName } from "#core/people/browser-name.ts";
import { withAddressCountry } from "../../platform/address-country.ts";
import type { IpCountry } from "../../platform/ip-country.ts";

/** Where something was done from, as a mail lists it. */
export function browserFacts(
  ipCountry: Pick<IpCountry, "find">,
  { clientAddress, userAgent }: { clientAddress: string; userAgent: string },
): Array<[name: string, value: string]> {
  return [
    ["Browser", browserName(userAgent)],
    ["Address", withAddressCountry(ipCountry)({ ipAddress: clientAddress }).location ?? ""],
  ];
}
