import { isIPv6 } from "node:net";
import { availableParallelism } from "node:os";
import path from "node:path";
import type { Network } from "#core/payments/address.ts";
import { isCountry } from "#core/people/countries.ts";
import { retention } from "#core/retention.ts";
import {
  type Config,
  ConfigError,
  type Environment,
  logLevels,
  networks,
  roles,
} from "../config.ts";
import { backups } from "./read-backups.ts";
import { bitcoinChain, bitcoinNetworkUrl, confirmations, ethereumChain } from "./read-chains.ts";
import { depositAddresses, offeredCoins, wallets } from "./read-deposits.ts";
import { braiins, clamd, embeds, prices, s3 } from "./read-services.ts";
import {
  coinAmount,
  isLoopback,
  isPrivate,
  oneOf,
  publicUrl,
  text,
  url,
  wholeNumber,
} from "./read-setting.ts";
import { hotWalletAddress, withdrawals } from "./read-withdrawals.ts";
import { authSecret, authSecretBefore, documentKeys } from "./secrets.ts";

/**
 * Reads the whole environment once, at boot.
 *
 * @throws ConfigError naming the variable that is wrong.
 */
export function readConfig(env: Environment): Config {
  const dataDir = path.resolve(text(env, "DATA_DIR", "./data"));
  const network = oneOf(env, "NETWORK", networks, "regtest");
  const host = bareHost(text(env, "HOST", "127.0.0.1"));
  const port = wholeNumber(env, "PORT", 3000, 0, 65_535);
  const keys = wallets(env, network);
  const offered = offeredCoins(env);
  const databaseUrl = databaseAt(env, "DATABASE_URL", network);
  const hotWallet = hotWalletAddress(env, network);
  return {
    host,
    port,
    appUrl: appUrl(env, network, originOf(host, port)),
    siteName: text(env, "SITE_NAME", "Assay"),
    sourceUrl: publicUrl(env, "SOURCE_URL"),
    dataDir,
    databaseUrl,
    databaseOwnerUrl: databaseAt(env, "DATABASE_OWNER_URL", network),
    databaseConnections: env["DATABASE_CONNECTIONS"]?.trim()
      ? wholeNumber(env, "DATABASE_CONNECTIONS", 16, 4, 200)
      : null,
    smtpUrl: url(env, "SMTP_URL", ["smtp:", "smtps:"]),
    mailFrom: mailFrom(env),
    authSecret: authSecret(env, dataDir),
    authSecretBefore: authSecretBefore(env, dataDir),
    logLevel: oneOf(env, "LOG_LEVEL", logLevels, "info"),
    metrics: metrics(env, port),
    network,
    role: oneOf(env, "ROLE", roles, "all"),
    webProcesses: wholeNumber(env, "WEB_CONCURRENCY", Math.min(4, availableParallelism()), 0, 64),
    drainSeconds: wholeNumber(env, "DRAIN_SECONDS", 0, 0, 60),
    demo: demo(env, network),
    trustedProxies: wholeNumber(env, "TRUSTED_PROXIES", 0, 0, 10),
    coins: offered,
    slips: oneOf(env, "DEPOSIT_SLIPS", ["when-needed", "always"], "when-needed"),
    wallets: keys,
    depositAddresses: depositAddresses(env, network, keys, offered),
    s3: s3(env, network),
    clamd: clamd(env, network),
    prices: prices(env, network),
    bitcoinNetworkUrl: bitcoinNetworkUrl(env, network),
    bitcoinChain: bitcoinChain(env, network),
    bitcoinPollSeconds: wholeNumber(env, "BITCOIN_POLL_SECONDS", 10, 1, 60),
    ethereumChain: ethereumChain(env, network, hotWallet),
    ethereumPollSeconds: wholeNumber(env, "ETHEREUM_POLL_SECONDS", 6, 1, 60),
    confirmations: {
      BTC: confirmations(env, "BITCOIN_CONFIRMATIONS", "BTC", "3"),
      ETH: confirmations(env, "ETHEREUM_CONFIRMATIONS", "ETH", "finalized"),
      USDT: confirmations(env, "USDT_CONFIRMATIONS", "USDT", "finalized"),
    },
    internalEtherUnits: coinAmount(env, ["ETHEREUM_INTERNAL_LIMIT", "1"], "ETH"),
    braiins: braiins(env, network),
    embeds: embeds(env, network),
    documentKeys: documentKeys(env, dataDir),
    withdrawals: withdrawals(env, network, hotWallet),
    kyc: {
      approvedDocumentDays: wholeNumber(
        env,
        "VERIFICATION_DOCUMENT_DAYS",
        retention.approvedDocumentDays,
        1,
        3650,
      ),
      highRiskCountries: countries(env, "HIGH_RISK_COUNTRIES"),
    },
    geoip: geoip(env),
    breachedPasswordsFile: breachedPasswordsFile(env),
    backups: backups(env, databaseUrl),
  };
}

function metrics(env: Environment, port: number): Config["metrics"] {
  if (!env["METRICS_PORT"]?.trim()) return null;
  const own = wholeNumber(env, "METRICS_PORT", 0, 0, 65_535);
  if (own !== 0 && own === port)
    throw new ConfigError("METRICS_PORT must be another port than PORT.");
  return { host: bareHost(text(env, "METRICS_HOST", "127.0.0.1")), port: own };
}

/** IPv6 addresses may stand in brackets. */
function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

/** A sender without a name of its own has the site's: mails say who they are from as the pages do. */
export function mailFrom(env: Environment): string {
  const sender = text(env, "MAIL_FROM", "no-reply@localhost");
  const name = text(env, "SITE_NAME", "Assay").replace(/["\\]/g, "");
  return sender.includes("<") ? sender : `"${name}" <${sender}>`;
}

/** On mainnet nobody on the way to another machine reads along, or answers in the database's place. */
function databaseAt(env: Environment, name: string, network: Network): string | null {
  const given = url(env, name, ["postgres:", "postgresql:"]);
  if (given === null || network !== "mainnet") return given;
  const { hostname, searchParams } = new URL(given);
  // Without a host, or with a folder for one, it is reached by a socket of this machine.
  const host = searchParams.get("host") ?? hostname;
  const isHere = host === "" || host.startsWith("/") || isLoopback(host);
  if (!isHere && searchParams.get("sslmode") !== "verify-full") {
    throw new ConfigError(
      `${name} must end with ?sslmode=verify-full on mainnet: the database is on another machine.`,
    );
  }
  return given;
}

/** Only an origin: links, cookies and the check of where forms come from are made from it. */
export function appUrl(env: Environment, network: Network, here: string): string {
  const given = url(env, "APP_URL", ["http:", "https:"]);
  if (network === "mainnet" && given === null) {
    throw new ConfigError(
      "APP_URL must be set on mainnet, to the address that customers type: links in mails begin with it.",
    );
  }
  const origin = given === null ? here : originAlone(given);
  if (network === "mainnet" && !(URL.canParse(origin) && isPrivate(new URL(origin)))) {
    throw new ConfigError(
      "APP_URL must be https on mainnet: passwords and sessions would travel in the clear.",
    );
  }
  return origin;
}

function originAlone(given: string): string {
  const { origin, href } = new URL(given);
  if (href === `${origin}/`) return origin;
  throw new ConfigError("APP_URL must be an origin alone, such as https://mining.example.com.");
}

/** Where a server on this host and port answers; IPv6 addresses stand in brackets. */
export function originOf(host: string, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** ISO 3166-1 codes, separated by commas. */
function countries(env: Environment, name: string): string[] {
  const codes = text(env, name, "")
    .split(",")
    .map((code) => code.trim().toUpperCase())
    .filter((code) => code !== "");
  const unknown = codes.find((code) => !isCountry(code));
  if (unknown !== undefined) {
    throw new ConfigError(`${name} must hold two-letter country codes, not "${unknown}".`);
  }
  return codes;
}

export function geoip(env: Environment): Config["geoip"] {
  const file = env["GEOIP_FILE"]?.trim();
  const blockedCountries = countries(env, "BLOCKED_COUNTRIES");
  if (!file) {
    if (blockedCountries.length === 0) return null;
    throw new ConfigError("BLOCKED_COUNTRIES needs GEOIP_FILE, which tells where addresses are.");
  }
  return { file: path.resolve(file), blockedCountries };
}

export function breachedPasswordsFile(env: Environment): string | null {
  const file = env["BREACHED_PASSWORDS_FILE"]?.trim();
  return file ? path.resolve(file) : null;
}

export function demo(env: Environment, network: Network): boolean {
  const wanted = oneOf(env, "DEMO", ["0", "1"], "0") === "1";
  if (wanted && network === "mainnet") {
    throw new ConfigError(
      "DEMO must not be set with NETWORK=mainnet: a demo shows invented customers.",
    );
  }
  return wanted;
}
