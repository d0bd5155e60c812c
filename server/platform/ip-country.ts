import { readFileSync } from "node:fs";
import { Reader } from "mmdb-lib";
import { type Config, ConfigError } from "./config.ts";

/** Tells in which country an address is, as far as the operator's file knows. */
export interface IpCountry {
  /** The two letters of the country from which nobody may sign up or in, if the address is in one; else null. */
  findBlocked(address: string): string | null;
  /** The two letters of the country that an address is in, or null. */
  find(address: string | null): string | null;
}

/** What of a record counts: files about countries and about cities have both. */
interface Located {
  country?: { iso_code?: unknown };
  registered_country?: { iso_code?: unknown };
}

/**
 * Reads the operator's file once, at boot. Without one every address passes, and so does one that it does not know.
 *
 * @throws ConfigError when the file is missing or is none in MaxMind's format.
 */
export function openIpCountry(geoip: Config["geoip"]): IpCountry {
  if (!geoip) return { findBlocked: () => null, find: () => null };
  const reader = openReader(geoip.file);
  const blocked = new Set(geoip.blockedCountries);
  return {
    findBlocked(address) {
      const country = countryOf(reader, address);
      return country !== null && blocked.has(country) ? country : null;
    },
    find: (address) => (address === null ? null : countryOf(reader, address)),
  };
}

type Lookup = Pick<Reader<never>, "getWithPrefixLength">;

function openReader(file: string): Lookup {
  try {
    const reader = new Reader<never>(readFileSync(file));
    // A file that was cut off says so only when it is asked.
    for (const address of ["192.0.2.1", "2001:db8::1"]) lookUp(reader, address);
    return reader;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === "ENOENT" ? "is not there" : "is none";
    throw new ConfigError(`GEOIP_FILE ${file} ${reason}: it must be a file in MaxMind's format.`);
  }
}

function countryOf(reader: Lookup, address: string): string | null {
  try {
    const found = lookUp(reader, address);
    const code = found?.country?.iso_code ?? found?.registered_country?.iso_code;
    return typeof code === "string" ? code : null;
  } catch {
    // No address at all, such as the name of a socket.
    return null;
  }
}

/** An IPv4 address may come written as an IPv6 one. */
function lookUp(reader: Lookup, address: string): Located | null {
  const [found] = reader.getWithPrefixLength(address.replace(/^::ffff:(?=\d+\.)/i, ""));
  return found as Located | null;
}
