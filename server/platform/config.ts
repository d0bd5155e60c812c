import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

export const networks = ["regtest", "testnet", "mainnet"] as const;
export type Network = (typeof networks)[number];
export const roles = ["all", "web", "worker"] as const;
export type Role = (typeof roles)[number];
export const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Config {
  host: string;
  port: number;
  /** Origin that customers see, without a trailing slash. */
  appUrl: string;
  siteName: string;
  dataDir: string;
  /** Null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** A login that owns the tables; null: the one of `databaseUrl`. */
  databaseOwnerUrl: string | null;
  /** Null: mail goes to `dataDir`/outbox. */
  smtpUrl: string | null;
  mailFrom: string;
  authSecret: string;
  logLevel: LogLevel;
  network: Network;
  role: Role;
  /** Whether every page is marked as a demo. */
  demo: boolean;
  /** Proxies in front whose X-Forwarded-For is believed; 0: the socket's address counts. */
  trustedProxies: number;
  depositAddresses: { bitcoin: string; ethereum: string };
  /** Null: files in `dataDir`/files. */
  s3: { endpoint: string; region: string; accessKeyId: string; secretAccessKey: string } | null;
}

/** A wrong or missing setting. The message is the one line that the start prints. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

export type Environment = Record<string, string | undefined>;

/**
 * Reads the whole environment once, at boot.
 *
 * @throws ConfigError naming the variable that is wrong.
 */
export function readConfig(env: Environment): Config {
  const dataDir = path.resolve(text(env, "DATA_DIR", "./data"));
  const network = oneOf(env, "NETWORK", networks, "regtest");
  const host = text(env, "HOST", "127.0.0.1");
  const port = wholeNumber(env, "PORT", 3000, 0, 65_535);
  const databaseUrl = url(env, "DATABASE_URL", ["postgres:", "postgresql:"]);
  return {
    host,
    port,
    appUrl: (url(env, "APP_URL", ["http:", "https:"]) ?? `http://${host}:${port}`).replace(
      /\/+$/,
      "",
    ),
    siteName: text(env, "SITE_NAME", "Assay"),
    dataDir,
    databaseUrl,
    databaseOwnerUrl: url(env, "DATABASE_OWNER_URL", ["postgres:", "postgresql:"]),
    smtpUrl: url(env, "SMTP_URL", ["smtp:", "smtps:"]),
    mailFrom: text(env, "MAIL_FROM", "Assay <no-reply@localhost>"),
    authSecret: authSecret(env, dataDir),
    logLevel: oneOf(env, "LOG_LEVEL", logLevels, "info"),
    network,
    role: oneOf(env, "ROLE", roles, "all"),
    demo: demo(env, network),
    trustedProxies: wholeNumber(env, "TRUSTED_PROXIES", 0, 0, 10),
    depositAddresses: depositAddresses(env, network),
    s3: s3(env),
  };
}

function text(env: Environment, name: string, fallback: string): string {
  return env[name]?.trim() || fallback;
}

function oneOf<const T extends string>(
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

function wholeNumber(env: Environment, name: string, fallback: number, min: number, max: number) {
  const value = text(env, name, String(fallback));
  if (!/^\d+$/.test(value) || Number(value) < min || Number(value) > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`);
  }
  return Number(value);
}

function url(env: Environment, name: string, protocols: string[]): string | null {
  const value = env[name]?.trim();
  if (!value) return null;
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    const shapes = protocols.map((protocol) => `${protocol}//…`).join(" or ");
    // The value is not repeated: it may hold a password.
    throw new ConfigError(`${name} must be an address of the form ${shapes}.`);
  }
  return value;
}

function authSecret(env: Environment, dataDir: string): string {
  const given = env["AUTH_SECRET"]?.trim();
  if (given) {
    if (given.length < 32) throw new ConfigError("AUTH_SECRET must have at least 32 characters.");
    return given;
  }
  return secretInDataDir(dataDir, "auth-secret");
}

/** Reads a random secret kept in the data directory, making it on the first run. */
export function secretInDataDir(dataDir: string, name: string): string {
  const file = path.join(dataDir, "secrets", name);
  if (!existsSync(file)) {
    try {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
        throw new ConfigError(`DATA_DIR ${dataDir} cannot be written: ${(error as Error).message}`);
      }
    }
  }
  return readFileSync(file, "utf8").trim();
}

function demo(env: Environment, network: Network): boolean {
  const wanted = oneOf(env, "DEMO", ["0", "1"], "0") === "1";
  if (wanted && network === "mainnet") {
    throw new ConfigError(
      "DEMO must not be set with NETWORK=mainnet: a demo shows invented customers.",
    );
  }
  return wanted;
}

/**
 * Until every customer has an address of his own, one fixed address per coin is shown.
 * The defaults are BIP-350's and EIP-55's published test strings: nobody is meant to pay them,
 * and mainnet never falls back to them.
 */
const testAddresses = {
  bitcoin: {
    regtest: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
    testnet: "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
  },
  ethereum: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
};

function depositAddresses(env: Environment, network: Network): Config["depositAddresses"] {
  const bitcoin = env["DEPOSIT_ADDRESS_BITCOIN"]?.trim();
  const ethereum = env["DEPOSIT_ADDRESS_ETHEREUM"]?.trim();
  if (bitcoin) checkBitcoinAddress(bitcoin, network);
  if (ethereum && !/^0x[0-9a-fA-F]{40}$/.test(ethereum)) {
    throw new ConfigError("DEPOSIT_ADDRESS_ETHEREUM must be 0x followed by 40 hexadecimal digits.");
  }
  if (network !== "mainnet") {
    return {
      bitcoin: bitcoin ?? testAddresses.bitcoin[network],
      ethereum: ethereum ?? testAddresses.ethereum,
    };
  }
  if (!bitcoin) throw missingOnMainnet("DEPOSIT_ADDRESS_BITCOIN");
  if (!ethereum) throw missingOnMainnet("DEPOSIT_ADDRESS_ETHEREUM");
  if (ethereum.toLowerCase() === testAddresses.ethereum.toLowerCase()) {
    throw new ConfigError("DEPOSIT_ADDRESS_ETHEREUM is the published test address, not yours.");
  }
  return { bitcoin, ethereum };
}

function missingOnMainnet(name: string): ConfigError {
  return new ConfigError(`${name} must hold your own address when NETWORK=mainnet.`);
}

const bitcoinPrefixes: Record<Network, RegExp> = {
  regtest: /^(bcrt1[02-9ac-hj-np-z]{11,87}|[mn2][1-9A-HJ-NP-Za-km-z]{25,34})$/,
  testnet: /^(tb1[02-9ac-hj-np-z]{11,87}|[mn2][1-9A-HJ-NP-Za-km-z]{25,34})$/,
  mainnet: /^(bc1[02-9ac-hj-np-z]{11,87}|[13][1-9A-HJ-NP-Za-km-z]{25,34})$/,
};

function checkBitcoinAddress(address: string, network: Network): void {
  if (!bitcoinPrefixes[network].test(address)) {
    throw new ConfigError(`DEPOSIT_ADDRESS_BITCOIN is not an address of the ${network} network.`);
  }
}

function s3(env: Environment): Config["s3"] {
  const endpoint = url(env, "S3_ENDPOINT", ["http:", "https:"]);
  if (!endpoint) return null;
  return {
    endpoint,
    region: text(env, "S3_REGION", "us-east-1"),
    accessKeyId: required(env, "S3_ACCESS_KEY_ID"),
    secretAccessKey: required(env, "S3_SECRET_ACCESS_KEY"),
  };
}

function required(env: Environment, name: string): string {
  const value = env[name]?.trim();
  if (!value) throw new ConfigError(`${name} is required when S3_ENDPOINT is set.`);
  return value;
}
