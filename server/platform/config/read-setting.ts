import type { Coin } from "#core/asset.ts";
import { parseAmount, toDecimal } from "#core/money.ts";
import type { AddressFault, Network } from "#core/payments/address.ts";
import { ConfigError, type Environment } from "../config.ts";

export function text(env: Environment, name: string, fallback: string): string {
  return env[name]?.trim() || fallback;
}

export function oneOf<const T extends string>(
  env: Environment,
  name: string,
  allowed: readonly T[],
  fallback: T,
): T {
  const value = text(env, name, fallback);
  const found = allowed.find((candidate) => candidate === value);
  if (!found)
    throw new ConfigError(`${name} must be one of ${allowed.join(", ")}, not "${value}".`);
  return found;
}

export function wholeNumber(
  env: Environment,
  name: string,
  fallback: number,
  min: number,
  max: number,
) {
  const value = text(env, name, String(fallback));
  if (!/^\d+$/.test(value) || Number(value) < min || Number(value) > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`);
  }
  return Number(value);
}

/** A variable's name, and what holds without it. */
export type Setting = [name: string, fallback: string];

/** More than anybody will ever hold of it. */
const mostOf: Record<Coin, bigint> = {
  BTC: 21_000_000n * 10n ** 8n,
  ETH: 1_000_000_000n * 10n ** 18n,
  USDT: 10_000_000_000_000n * 10n ** 6n,
};

/** An amount of a coin in its smallest unit; 0 is one. */
export function coinAmount(
  env: Environment,
  [name, fallback]: Setting,
  coin: Coin,
  most = mostOf[coin],
): bigint {
  const value = text(env, name, fallback);
  const units = parseAmount(value, coin);
  if (units === null || units > most) {
    throw new ConfigError(
      `${name} must be an amount of ${coin} up to ${toDecimal(most, coin)}, not "${value}".`,
    );
  }
  return units;
}

export function url(env: Environment, name: string, protocols: string[]): string | null {
  const value = env[name]?.trim();
  if (!value) return null;
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    const shapes = protocols.map((protocol) => `${protocol}//…`).join(" or ");
    // The value is not repeated: it may hold a password.
    throw new ConfigError(`${name} must be an address of the form ${shapes}.`);
  }
  return value;
}

/** An address that pages show: nobody's name and password in it. */
export function publicUrl(env: Environment, name: string): string | null {
  const given = url(env, name, ["https:"]);
  if (given === null) return null;
  const { username, password, href } = new URL(given);
  if (username || password) {
    throw new ConfigError(`${name} is shown to everybody: it must hold no name and no password.`);
  }
  return href;
}

/**
 * Without a wallet to derive every customer's own address from, one fixed address per coin is shown. The defaults are
 * the published examples of BIP 173 and EIP-55: mainnet never falls back to them, nor accepts them, since
 * anybody can spend from the first.
 */
export const testAddresses = {
  bitcoin: {
    regtest: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
    testnet: "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
    mainnet: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  },
  ethereum: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
};

export function address(
  env: Environment,
  name: string,
  network: Network,
  check: (address: string) => AddressFault,
  example: string,
): string {
  const given = env[name]?.trim();
  if (!given) {
    if (network === "mainnet") {
      throw new ConfigError(`${name} must hold your own address when NETWORK=mainnet.`);
    }
    return example;
  }
  const fault = check(given);
  if (fault) throw new ConfigError(`${name} ${faultInWords(fault, network)}.`);
  if (network === "mainnet" && given.toLowerCase() === example.toLowerCase()) {
    throw new ConfigError(
      `${name} is a published example, not yours: whatever is paid there is lost.`,
    );
  }
  return given;
}

export function faultInWords(fault: NonNullable<AddressFault>, network: Network): string {
  if (fault === "wrong-network") return `is not an address of the ${network} network`;
  if (fault === "checksum") return "is mistyped: its checksum does not hold";
  return "is not an address";
}

/** Nobody on the way can change what is said: it is encrypted, or never leaves this machine. */
export function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || isLoopback(hostname);
}

export function isLoopback(hostname: string): boolean {
  return ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
}

/** An address to whose end paths are added. On mainnet nobody on the way may change what is said there. */
export function sourceUrl(
  name: string,
  given: string | undefined,
  { network, because }: { network: Network; because: string },
): string | null {
  const address = url({ [name]: given }, name, ["https:", "http:"]);
  if (address === null) return null;
  if (/[?#]/.test(address)) {
    throw new ConfigError(`${name} must hold addresses without ? and #: paths are added to them.`);
  }
  if (network === "mainnet" && !isPrivate(new URL(address))) {
    throw new ConfigError(`${name} must be https on mainnet, or on this machine: ${because}.`);
  }
  return address.replace(/\/+$/, "");
}
