import { randomBytes } from "node:crypto";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { isIPv6 } from "node:net";
import { availableParallelism } from "node:os";
import path from "node:path";
import { type Coin, coins } from "#core/asset.ts";
import { parseAmount, toDecimal } from "#core/money.ts";
import {
  type AddressFault,
  checkBitcoinAddress,
  checkEthereumAddress,
  type Network,
  toChecksumAddress,
} from "#core/payments/address.ts";
import type { CoinTerms } from "#core/payments/withdrawal.ts";
import { usdtContract as usdtOnMainnet } from "#core/payments/withdrawal-address.ts";
import { isCountry } from "#core/people/countries.ts";
import { retention } from "#core/retention.ts";
import { terms } from "#core/terms.ts";
import { type EmbedName, embedNames } from "#core/text/embeds.ts";
import {
  parseWalletKey,
  type WalletChain,
  type WalletKey,
  type WalletKeyFault,
} from "#core/wallet/wallet-key.ts";
import { type KeyRing, newKey, parseKeyRing } from "./files/key-ring.ts";

const networks = ["regtest", "testnet", "mainnet"] as const satisfies Network[];
const roles = ["all", "web", "worker"] as const;
type Role = (typeof roles)[number];
const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Config {
  host: string;
  port: number;
  /** Origin that customers see, without a trailing slash. */
  appUrl: string;
  siteName: string;
  /** Where the source of exactly this copy can be had; null: no page says it. */
  sourceUrl: string | null;
  dataDir: string;
  /** Null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** A login that owns the tables; null: the one of `databaseUrl`. */
  databaseOwnerUrl: string | null;
  /** Null: mail goes to `dataDir`/outbox. */
  smtpUrl: string | null;
  mailFrom: string;
  authSecret: string;
  /** The one before, while what it has signed and sealed is still to be taken; null: none. */
  authSecretBefore: string | null;
  logLevel: LogLevel;
  network: Network;
  role: Role;
  /** How many processes answer HTTP; 1 or 0: the one that was started. */
  webProcesses: number;
  /** Whether every page is marked as a demo. */
  demo: boolean;
  /** Proxies in front whose X-Forwarded-For is believed; 0: the socket's address counts. */
  trustedProxies: number;
  /** What customers can pay in and buy with, in the order of `coins`; always with BTC. */
  coins: readonly Coin[];
  /** Whether payment slips are taken only for coins whose payments nobody credits from the chain. */
  slips: "when-needed" | "always";
  /** The public keys of the operator's wallets, from which every customer gets an address of his own; null: none given. */
  wallets: Record<WalletChain, WalletKey | null>;
  /** One address for everybody, where there is no wallet to derive from; null: only where there is one. */
  depositAddresses: Record<WalletChain, string | null>;
  /** Null: files in `dataDir`/files. */
  s3: { endpoint: string; region: string; accessKeyId: string; secretAccessKey: string } | null;
  /** ClamAV's daemon, which is asked about every upload; null: nobody is. */
  clamd: { host: string; port: number } | { path: string } | null;
  /** Exchanges that are asked what coins cost, and how many must agree. No sources: nobody is ever asked. */
  prices: {
    sources: Array<{ name: ExchangeName; url: string }>;
    needed: number;
    pollSeconds: number;
  };
  /** A mempool server that is asked about the Bitcoin network; null: nobody is. */
  bitcoinNetworkUrl: string | null;
  /** Who is asked about the Bitcoin chain; null: nobody, and payments are not seen. */
  bitcoinChain: { kind: "node" | "esplora"; url: string } | null;
  /** How often it is asked what is new. */
  bitcoinPollSeconds: number;
  /** Who is asked about the Ethereum chain; null: nobody, and payments are not seen. */
  ethereumChain: EthereumChain | null;
  ethereumPollSeconds: number;
  /** What a payment waits for, by its quantity: the last step that it reaches. */
  confirmations: Record<Coin, ConfirmationStep[]>;
  /** Braiins Pool's read-only API, which is asked for payouts; null: it is not. */
  braiins: { url: string; token: string } | null;
  /** Whether news feeds may also be read from http://127.0.0.1. Never on mainnet. */
  feedsAllowLoopback: boolean;
  /** The charting provider's widgets that the operator has switched on, and the hosts that serve them. */
  embeds: { names: EmbedName[]; scriptOrigin: string; frameOrigins: string[] };
  /** What wraps the keys of identity documents. */
  documentKeys: KeyRing;
  withdrawals: {
    coins: Record<Coin, WithdrawalSettings>;
    /** Where ether and USDT are paid from, in EIP-55's spelling; its key is elsewhere. Null: they cannot be withdrawn. */
    hotWalletAddress: string | null;
    /** When a payment on Ethereum counts as final: when the chain says so; or, for trying out, after so many blocks. */
    ethereumFinality: number | "finalized";
  };
  kyc: {
    /** How long documents are kept after an approval. */
    approvedDocumentDays: number;
    /** ISO codes: who lives there is approved by two verifiers. */
    highRiskCountries: string[];
  };
  /** A file in MaxMind's format that tells where addresses are, and from where nobody may sign up or in; null: not asked. */
  geoip: { file: string; blockedCountries: string[] } | null;
  /** A sorted file of the hashes of leaked passwords, which nobody may choose; null: the shipped list alone. */
  breachedPasswordsFile: string | null;
}

export interface WithdrawalSettings extends CoinTerms {
  /** Who orders the broadcast of a batch that pays more of it is somebody else than who formed it. */
  twoPeopleAboveUnits: bigint;
}

export interface EthereumChain {
  /** A node's JSON-RPC. */
  url: string;
  /** The numbers of the chains that it may be on. */
  chainIds: number[];
  /** The token that counts as USDT, in small letters; null: none, and tokens are not seen. */
  usdtContract: string | null;
  /** Whether the node says what contracts sent; else ether from contracts is not seen. */
  traces: boolean;
  /** The operator's own addresses, in small letters: what they send to customers' addresses is no deposit. */
  ownAddresses: string[];
}

export interface ConfirmationStep {
  fromUnits: bigint;
  /** So many blocks, its own included; or until the chain itself calls its block final. */
  blocks: number | "finalized";
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
  const host = text(env, "HOST", "127.0.0.1").replace(/^\[(.*)\]$/, "$1");
  const port = wholeNumber(env, "PORT", 3000, 0, 65_535);
  const wallets = {
    bitcoin: wallet(env, "DEPOSIT_WALLET_BITCOIN", {
      ...{ chain: "bitcoin", network, customerBranch: branch(env, "DEPOSIT_BRANCH_BITCOIN") },
    }),
    ethereum: wallet(env, "DEPOSIT_WALLET_ETHEREUM", {
      ...{ chain: "ethereum", network, customerBranch: branch(env, "DEPOSIT_BRANCH_ETHEREUM") },
    }),
  };
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
    smtpUrl: url(env, "SMTP_URL", ["smtp:", "smtps:"]),
    mailFrom: mailFrom(env),
    authSecret: authSecret(env, dataDir),
    authSecretBefore: authSecretBefore(env, dataDir),
    logLevel: oneOf(env, "LOG_LEVEL", logLevels, "info"),
    network,
    role: oneOf(env, "ROLE", roles, "all"),
    webProcesses: wholeNumber(env, "WEB_CONCURRENCY", Math.min(4, availableParallelism()), 0, 64),
    demo: demo(env, network),
    trustedProxies: wholeNumber(env, "TRUSTED_PROXIES", 0, 0, 10),
    coins: offered,
    slips: oneOf(env, "DEPOSIT_SLIPS", ["when-needed", "always"], "when-needed"),
    wallets,
    depositAddresses: depositAddresses(env, network, wallets, offered),
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
    braiins: braiins(env, network),
    feedsAllowLoopback: feedsAllowLoopback(env, network),
    embeds: embeds(env, network),
    documentKeys: documentKeys(env, dataDir),
    withdrawals: {
      coins: {
        BTC: withdrawalSettings(env, "BTC", {
          fee: ["WITHDRAWAL_FEE_BTC", "0.00005"],
          twoPeople: ["WITHDRAWAL_TWO_PEOPLE_BTC", "0.1"],
        }),
        ETH: withdrawalSettings(env, "ETH", {
          fee: ["WITHDRAWAL_FEE_ETH", "0.0005"],
          minimum: ["WITHDRAWAL_MINIMUM_ETH", "0.005"],
          twoPeople: ["WITHDRAWAL_TWO_PEOPLE_ETH", "2"],
        }),
        USDT: withdrawalSettings(env, "USDT", {
          fee: ["WITHDRAWAL_FEE_USDT", "3"],
          minimum: ["WITHDRAWAL_MINIMUM_USDT", "20"],
          twoPeople: ["WITHDRAWAL_TWO_PEOPLE_USDT", "5000"],
        }),
      },
      hotWalletAddress: hotWallet,
      ethereumFinality: ethereumFinality(env, network),
    },
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
  };
}

/** A sender without a name of its own has the site's: mails say who they are from as the pages do. */
function mailFrom(env: Environment): string {
  const sender = text(env, "MAIL_FROM", "no-reply@localhost");
  const name = text(env, "SITE_NAME", "Assay").replace(/["\\]/g, "");
  return sender.includes("<") ? sender : `"${name}" <${sender}>`;
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

/** More than anybody will ever hold of it. */
const mostOf: Record<Coin, bigint> = {
  BTC: 21_000_000n * 10n ** 8n,
  ETH: 1_000_000_000n * 10n ** 18n,
  USDT: 10_000_000_000_000n * 10n ** 6n,
};

/** A variable's name, and what holds without it. */
type Setting = [name: string, fallback: string];

/** Of bitcoin the terms say the minimum. The smallest withdrawal must leave something to arrive. */
function withdrawalSettings(
  env: Environment,
  coin: Coin,
  { fee, minimum, twoPeople }: { fee: Setting; minimum?: Setting; twoPeople: Setting },
): WithdrawalSettings {
  const most = mostOf[coin];
  const minimumUnits = minimum ? coinAmount(env, minimum, coin, most) : terms.minimumWithdrawalSats;
  return {
    minimumUnits,
    feeUnits: coinAmount(env, fee, coin, minimumUnits / 2n),
    twoPeopleAboveUnits: coinAmount(env, twoPeople, coin, most),
  };
}

/** An amount of a coin in its smallest unit; 0 is one. */
function coinAmount(env: Environment, [name, fallback]: Setting, coin: Coin, most: bigint): bigint {
  const value = text(env, name, fallback);
  const units = parseAmount(value, coin);
  if (units === null || units > most) {
    throw new ConfigError(
      `${name} must be an amount of ${coin} up to ${toDecimal(most, coin)}, not "${value}".`,
    );
  }
  return units;
}

function hotWalletAddress(env: Environment, network: Network): string | null {
  const name = "WITHDRAWAL_ADDRESS_ETHEREUM";
  const given = env[name]?.trim();
  if (!given) return null;
  const example = testAddresses.ethereum;
  return toChecksumAddress(address(env, name, network, checkEthereumAddress, example));
}

/** Money is given back or called paid by it: on mainnet only the chain itself says what is final. */
function ethereumFinality(env: Environment, network: Network): number | "finalized" {
  const name = "WITHDRAWAL_CONFIRMATIONS_ETHEREUM";
  const given = text(env, name, "finalized");
  if (given === "finalized") return given;
  if (network === "mainnet") throw new ConfigError(`${name} must be finalized on mainnet.`);
  return wholeNumber(env, name, 1, 1, 1000);
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

/** An address that pages show: nobody's name and password in it. */
function publicUrl(env: Environment, name: string): string | null {
  const given = url(env, name, ["https:"]);
  if (given === null) return null;
  const { username, password, href } = new URL(given);
  if (username || password) {
    throw new ConfigError(`${name} is shown to everybody: it must hold no name and no password.`);
  }
  return href;
}

/** Only an origin: links, cookies and the check of where forms come from are made from it. */
function appUrl(env: Environment, network: Network, here: string): string {
  const given = url(env, "APP_URL", ["http:", "https:"]);
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

/** The files in `dataDir` that hold the secret, and the one before, where the environment does not. */
export const authSecretFiles = { current: "auth-secret", before: "auth-secret-before" } as const;

function authSecret(env: Environment, dataDir: string): string {
  return longSecret(env, "AUTH_SECRET") ?? secretInDataDir(dataDir, authSecretFiles.current);
}

function authSecretBefore(env: Environment, dataDir: string): string | null {
  const given = longSecret(env, "AUTH_SECRET_BEFORE");
  if (given) return given;
  if (!existsSync(path.join(dataDir, "secrets", authSecretFiles.before))) return null;
  return secretInDataDir(dataDir, authSecretFiles.before);
}

function longSecret(env: Environment, name: string): string | null {
  const given = env[name]?.trim();
  if (!given) return null;
  if (given.length < 32) throw new ConfigError(`${name} must have at least 32 characters.`);
  return given;
}

export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Reads a random secret kept in the data directory, making it on the first run. */
export function secretInDataDir(dataDir: string, name: string, make = newSecret): string {
  const file = path.join(dataDir, "secrets", name);
  try {
    if (!existsSync(file)) makeSecret(file, make());
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${dataDir} cannot be written: ${(error as Error).message}`);
  }
  const secret = readFileSync(file, "utf8").trim();
  if (secret.length < 32) throw new ConfigError(`DATA_DIR holds a broken secret: ${file}.`);
  return secret;
}

/** Written whole before it gets its name: whoever dies meanwhile leaves no half secret, and of two at once one wins. */
function makeSecret(file: string, secret: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const aside = `${file}.${process.pid}`;
  try {
    writeFileSync(aside, secret, { mode: 0o600 });
    linkSync(aside, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Some shared folders know no links.
    if (code === "EPERM" || code === "ENOTSUP") renameSync(aside, file);
    else if (code !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** The file in `dataDir` that holds the document keys where DOCUMENT_KEYS does not. */
export const documentKeysFile = "document-keys";

function documentKeys(env: Environment, dataDir: string): KeyRing {
  const given = env["DOCUMENT_KEYS"]?.trim();
  const ring = parseKeyRing(given || secretInDataDir(dataDir, documentKeysFile, newKey));
  if (ring) return ring;
  // The value is not repeated: it opens every document.
  throw new ConfigError(
    given
      ? "DOCUMENT_KEYS must hold keys as name:key, separated by commas, each key 43 characters of base64url."
      : `DATA_DIR holds broken document keys: ${path.join(dataDir, "secrets", documentKeysFile)}.`,
  );
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

function geoip(env: Environment): Config["geoip"] {
  const file = env["GEOIP_FILE"]?.trim();
  const blockedCountries = countries(env, "BLOCKED_COUNTRIES");
  if (!file) {
    if (blockedCountries.length === 0) return null;
    throw new ConfigError("BLOCKED_COUNTRIES needs GEOIP_FILE, which tells where addresses are.");
  }
  return { file: path.resolve(file), blockedCountries };
}

function breachedPasswordsFile(env: Environment): string | null {
  const file = env["BREACHED_PASSWORDS_FILE"]?.trim();
  return file ? path.resolve(file) : null;
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

/** For tests and trying out; elsewhere a feed must not lead the worker to this very machine. */
function feedsAllowLoopback(env: Environment, network: Network): boolean {
  const wanted = oneOf(env, "FEEDS_ALLOW_LOOPBACK", ["0", "1"], "0") === "1";
  if (wanted && network === "mainnet") {
    throw new ConfigError("FEEDS_ALLOW_LOOPBACK is for tests: not with NETWORK=mainnet.");
  }
  return wanted;
}

function wallet(
  env: Environment,
  name: string,
  { chain, network, customerBranch }: Pick<WalletKey, "chain" | "network" | "customerBranch">,
): WalletKey | null {
  const given = env[name]?.trim();
  if (!given) return null;
  const key = parseWalletKey(given, chain, network, customerBranch);
  if (typeof key === "string") throw new ConfigError(`${name} ${walletFaults[key]}.`);
  return key;
}

/** Where customers' addresses are below a wallet's key. */
function branch(env: Environment, name: string): 0 | 2 {
  return oneOf(env, name, ["0", "2"], "2") === "0" ? 0 : 2;
}

const walletFaults: Record<WalletKeyFault, string> = {
  "private-key":
    "holds a PRIVATE key: take it off this machine at once, move the coins to a new wallet, and give that one's public key",
  malformed: "is not an extended public key or an output descriptor",
  checksum: "is mistyped: its checksum does not hold",
  "wrong-network": "is not a key of the configured NETWORK",
  "which-script":
    "does not say which addresses the wallet uses: write wpkh(…/0/*) or tr(…/0/*), or the key's origin [fingerprint/84h/0h/0h]",
  "unsupported-script":
    "is of a kind that is not supported: native SegWit (BIP 84: zpub, vpub) and taproot (BIP 86) are; nested SegWit (ypub, upub) is not",
  "unsupported-path": "must be an account's key: its receiving addresses are /0/*",
};

/**
 * Without a wallet to derive every customer's own address from, one fixed address per coin is shown. The defaults are
 * the published examples of BIP 173 and EIP-55: mainnet never falls back to them, nor accepts them, since
 * anybody can spend from the first.
 */
const testAddresses = {
  bitcoin: {
    regtest: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
    testnet: "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
    mainnet: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  },
  ethereum: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
};

function depositAddresses(
  env: Environment,
  network: Network,
  wallets: Config["wallets"],
  offered: readonly Coin[],
): Config["depositAddresses"] {
  const check = {
    bitcoin: (address: string) => checkBitcoinAddress(address, network),
    ethereum: checkEthereumAddress,
  };
  const example = { bitcoin: testAddresses.bitcoin[network], ethereum: testAddresses.ethereum };
  const isGiven = (name: string) => Boolean(env[name]?.trim());
  const fixed = (chain: WalletChain, name: string) =>
    wallets[chain] && !isGiven(name)
      ? null
      : address(env, name, network, check[chain], example[chain]);
  return {
    bitcoin: fixed("bitcoin", "DEPOSIT_ADDRESS_BITCOIN"),
    ethereum: offered.some((coin) => coin !== "BTC")
      ? fixed("ethereum", "DEPOSIT_ADDRESS_ETHEREUM")
      : null,
  };
}

/** What is mined and paid out is bitcoin: that one cannot be switched off. */
function offeredCoins(env: Environment): readonly Coin[] {
  const value = text(env, "COINS", coinsByDefault(env));
  const named = value.split(",").map((name) => name.trim());
  const unknown = named.find((name) => !coins.some((coin) => coin === name));
  if (unknown !== undefined || !named.includes("BTC")) {
    throw new ConfigError(
      `COINS must name BTC and any of ETH and USDT, separated by commas, not "${value}".`,
    );
  }
  return coins.filter((coin) => named.includes(coin));
}

/** Who has set up Bitcoin and nothing of Ethereum offers bitcoin alone. Where neither is set up, a test network can be tried whole. */
function coinsByDefault(env: Environment): string {
  const isSet = (...names: string[]) => names.some((name) => env[name]?.trim());
  const hasEthereum = isSet(
    "DEPOSIT_WALLET_ETHEREUM",
    "DEPOSIT_ADDRESS_ETHEREUM",
    "ETHEREUM_RPC_URL",
  );
  const hasBitcoin = isSet(
    "DEPOSIT_WALLET_BITCOIN",
    "DEPOSIT_ADDRESS_BITCOIN",
    "BITCOIN_RPC_URL",
    "BITCOIN_ESPLORA_URL",
  );
  return hasBitcoin && !hasEthereum ? "BTC" : coins.join();
}

function address(
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

function faultInWords(fault: NonNullable<AddressFault>, network: Network): string {
  if (fault === "wrong-network") return `is not an address of the ${network} network`;
  if (fault === "checksum") return "is mistyped: its checksum does not hold";
  return "is not an address";
}

function s3(env: Environment, network: Network): Config["s3"] {
  const endpoint = url(env, "S3_ENDPOINT", ["http:", "https:"]);
  if (!endpoint) return null;
  if (network === "mainnet" && !isPrivate(new URL(endpoint))) {
    throw new ConfigError("S3_ENDPOINT must be https on mainnet: slips and keys cross a network.");
  }
  return {
    endpoint,
    region: text(env, "S3_REGION", "us-east-1"),
    accessKeyId: required(env, "S3_ACCESS_KEY_ID"),
    secretAccessKey: required(env, "S3_SECRET_ACCESS_KEY"),
  };
}

/** `tcp://host:port`, or the path of a socket. */
function clamd(env: Environment, network: Network): Config["clamd"] {
  const wanted = env["CLAMD"]?.trim();
  if (!wanted) return null;
  if (path.isAbsolute(wanted)) return { path: wanted };
  const at = URL.canParse(wanted) ? new URL(wanted) : null;
  if (at?.protocol !== "tcp:" || !at.hostname || !at.port) {
    throw new ConfigError(
      `CLAMD must be tcp://host:port or the path of a socket, not "${wanted}".`,
    );
  }
  if (network === "mainnet" && !isLoopback(at.hostname)) {
    throw new ConfigError(
      "CLAMD must be a socket or tcp:// on this machine on mainnet: documents would cross a network in the clear.",
    );
  }
  return { host: at.hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(at.port) };
}

function required(env: Environment, name: string): string {
  const value = env[name]?.trim();
  if (!value) throw new ConfigError(`${name} is required when S3_ENDPOINT is set.`);
  return value;
}

/** The exchanges whose language the product speaks, and where they answer. */
const exchanges = {
  kraken: "https://api.kraken.com",
  coinbase: "https://api.exchange.coinbase.com",
  bitstamp: "https://www.bitstamp.net",
};
export type ExchangeName = keyof typeof exchanges;

function prices(env: Environment, network: Network): Config["prices"] {
  const wanted = text(env, "PRICE_SOURCES", Object.keys(exchanges).join(","));
  const sources =
    wanted === "off" ? [] : wanted.split(",").map((one) => priceSource(one.trim(), network));
  if (new Set(sources.map(({ name }) => name)).size < sources.length) {
    throw new ConfigError("PRICE_SOURCES names an exchange twice: its word would count twice.");
  }
  const needed = wholeNumber(env, "PRICE_SOURCES_NEEDED", 2, 1, 9);
  if (sources.length > 0 && needed > sources.length) {
    throw new ConfigError(
      `PRICE_SOURCES_NEEDED is ${needed}, but PRICE_SOURCES names only ${sources.length}.`,
    );
  }
  if (network === "mainnet" && sources.length > 0 && needed < 2) {
    throw new ConfigError(
      "PRICE_SOURCES_NEEDED must be 2 or more on mainnet: one exchange alone could say anything.",
    );
  }
  return { sources, needed, pollSeconds: wholeNumber(env, "PRICE_POLL_SECONDS", 15, 5, 60) };
}

/** `kraken`, or `kraken=https://…` for one that is reached elsewhere. */
function priceSource(given: string, network: Network): { name: ExchangeName; url: string } {
  const [name = "", elsewhere] = given.split(/=(.*)/);
  if (!isExchange(name)) {
    const known = Object.keys(exchanges).join(", ");
    throw new ConfigError(`PRICE_SOURCES must be off, or some of ${known}, not "${name}".`);
  }
  const own = sourceUrl("PRICE_SOURCES", elsewhere);
  if (own && network === "mainnet" && !isPrivate(new URL(own))) {
    throw new ConfigError(
      "PRICE_SOURCES must be https on mainnet: money is valued with what it says.",
    );
  }
  return { name, url: own ?? exchanges[name] };
}

/** Nobody on the way can change what is said: it is encrypted, or never leaves this machine. */
function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || isLoopback(hostname);
}

function isLoopback(hostname: string): boolean {
  return ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
}

/** An address to whose end paths are added. */
function sourceUrl(name: string, given: string | undefined): string | null {
  const address = url({ [name]: given }, name, ["https:", "http:"]);
  if (address && /[?#]/.test(address)) {
    throw new ConfigError(`${name} must hold addresses without ? and #: paths are added to them.`);
  }
  return address?.replace(/\/+$/, "") ?? null;
}

function isExchange(name: string): name is ExchangeName {
  return Object.hasOwn(exchanges, name);
}

function bitcoinNetworkUrl(env: Environment, network: Network): string | null {
  if (env["BITCOIN_NETWORK_SOURCE"]?.trim() === "off") return null;
  const own = sourceUrl("BITCOIN_NETWORK_SOURCE", env["BITCOIN_NETWORK_SOURCE"]);
  if (own && network === "mainnet" && !isPrivate(new URL(own))) {
    throw new ConfigError(
      "BITCOIN_NETWORK_SOURCE must be https on mainnet, or on this machine: credits are compared with what it says.",
    );
  }
  return own ?? "https://mempool.space";
}

/** What it says is credited, and it is given what customers are paid with: nobody on the way may change that. */
function bitcoinChain(env: Environment, network: Network): Config["bitcoinChain"] {
  const node = sourceUrl("BITCOIN_RPC_URL", env["BITCOIN_RPC_URL"]);
  const esplora = sourceUrl("BITCOIN_ESPLORA_URL", env["BITCOIN_ESPLORA_URL"]);
  if (node && esplora) {
    throw new ConfigError("BITCOIN_ESPLORA_URL must be left out where BITCOIN_RPC_URL is given.");
  }
  const given = node ?? esplora;
  if (given === null) return null;
  const name = node ? "BITCOIN_RPC_URL" : "BITCOIN_ESPLORA_URL";
  if (network === "mainnet" && !isPrivate(new URL(given))) {
    throw new ConfigError(`${name} must be https on mainnet, or on this machine.`);
  }
  if (node && !new URL(node).password) {
    throw new ConfigError("BITCOIN_RPC_URL must hold the user and password of the node.");
  }
  return { kind: node ? "node" : "esplora", url: given };
}

/** Numbers of chains: https://chainlist.org. Ethereum itself; Sepolia and Hoodi; what anvil and geth begin for tests. */
const chainIds: Record<Network, number[]> = {
  mainnet: [1],
  testnet: [11_155_111, 560_048],
  regtest: [31_337, 1_337],
};

/** What it says is credited, as it is for Bitcoin. Providers put their key into the path. */
function ethereumChain(
  env: Environment,
  network: Network,
  hotWallet: string | null,
): EthereumChain | null {
  const given = sourceUrl("ETHEREUM_RPC_URL", env["ETHEREUM_RPC_URL"]);
  if (given === null) return null;
  if (network === "mainnet" && !isPrivate(new URL(given))) {
    throw new ConfigError("ETHEREUM_RPC_URL must be https on mainnet, or on this machine.");
  }
  const usdtContract = usdtToken(env, network);
  const traces = oneOf(env, "ETHEREUM_TRACES", ["on", "off"], "on") === "on";
  const own = ownEthereumAddresses(env, network);
  const ownAddresses = hotWallet ? [...own, hotWallet.toLowerCase()] : own;
  return { url: given, chainIds: chainIds[network], usdtContract, traces, ownAddresses };
}

/** Whoever collects tokens from customers' addresses sends ether there first, to pay for it. */
function ownEthereumAddresses(env: Environment, network: Network): string[] {
  const given = (env["ETHEREUM_OWN_ADDRESSES"] ?? "").split(",").map((each) => each.trim());
  return given.filter(Boolean).map((each) => {
    const fault = checkEthereumAddress(each);
    if (fault) throw new ConfigError(`ETHEREUM_OWN_ADDRESSES ${faultInWords(fault, network)}.`);
    return each.toLowerCase();
  });
}

function usdtToken(env: Environment, network: Network): string | null {
  const given = env["USDT_CONTRACT"]?.trim();
  if (!given) return network === "mainnet" ? usdtOnMainnet : null;
  const fault = checkEthereumAddress(given);
  if (fault) throw new ConfigError(`USDT_CONTRACT ${faultInWords(fault, network)}.`);
  if (network === "mainnet" && given.toLowerCase() !== usdtOnMainnet) {
    throw new ConfigError(
      "USDT_CONTRACT must be left out on mainnet: there is one USDT on Ethereum.",
    );
  }
  return given.toLowerCase();
}

/** `3`, or `3, 1:6, 10:12`: from 1 coin on 6, from 10 on 12. `finalized` where the chain says by itself what is final. */
function confirmations(env: Environment, name: string, asset: Coin, fallback: string) {
  const steps = text(env, name, fallback)
    .split(",")
    .map((step, i) => {
      const read = confirmationStep(step.trim(), asset, i === 0);
      if (read) return read;
      throw new ConfigError(
        asset === "BTC"
          ? `${name} must be a number of blocks, or read like 3, 1:6, 10:12.`
          : `${name} must be finalized, or read like 12, 1:64, 10:finalized.`,
      );
    });
  const rises = steps.every((step, i) => {
    const before = steps[i - 1];
    return !before || (step.fromUnits > before.fromUnits && count(step) >= count(before));
  });
  if (!rises) throw new ConfigError(`${name} must rise: larger payments wait for as many or more.`);
  return steps;
}

/** Null: cannot be read. The first step alone names no quantity. */
function confirmationStep(step: string, asset: Coin, isFirst: boolean): ConfirmationStep | null {
  const [, from, given = ""] = /^(?:(\d[\d.]*):)?(\d{1,3}|finalized)$/.exec(step) ?? [];
  if ((from === undefined) !== isFirst) return null;
  const fromUnits = from === undefined ? 0n : parseAmount(from, asset);
  const blocks = given === "finalized" && asset !== "BTC" ? given : Number(given);
  return fromUnits !== null && (blocks === "finalized" || blocks >= 1)
    ? { fromUnits, blocks }
    : null;
}

function count({ blocks }: ConfirmationStep): number {
  return blocks === "finalized" ? Number.POSITIVE_INFINITY : blocks;
}

const provider = {
  scriptOrigin: "https://s3.tradingview.com",
  frameOrigins: ["https://www.tradingview-widget.com", "https://s.tradingview.com"],
};

/** Asked only with a token. It says how much is credited: nobody on the way may change that. */
function braiins(env: Environment, network: Network): Config["braiins"] {
  const own = sourceUrl("BRAIINS_POOL_URL", env["BRAIINS_POOL_URL"]);
  if (own && network === "mainnet" && !isPrivate(new URL(own))) {
    throw new ConfigError(
      "BRAIINS_POOL_URL must be https on mainnet: payouts rest on what it says.",
    );
  }
  const token = env["BRAIINS_POOL_TOKEN"]?.trim();
  if (!token) return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(token)) {
    throw new ConfigError("BRAIINS_POOL_TOKEN must be the token alone, as the pool shows it.");
  }
  return { url: own ?? "https://pool.braiins.com", token };
}

/** Off unless named. Tests may put a server of their own in the provider's place; nobody else may. */
function embeds(env: Environment, network: Network): Config["embeds"] {
  const wanted = text(env, "EMBEDDED_WIDGETS", "")
    .split(",")
    .map((name) => name.trim());
  const unknown = wanted.find((name) => name !== "" && !embedNames.some((known) => known === name));
  if (unknown !== undefined) {
    throw new ConfigError(
      `EMBEDDED_WIDGETS takes ${embedNames.join(", ")}, separated by commas, not "${unknown}".`,
    );
  }
  const names = embedNames.filter((name) => wanted.includes(name));
  const standIn = url(env, "EMBEDDED_WIDGETS_STAND_IN", ["http:"]);
  if (standIn === null) return { names, ...provider };
  const { origin, hostname } = new URL(standIn);
  if (network === "mainnet" || hostname !== "127.0.0.1") {
    throw new ConfigError(
      "EMBEDDED_WIDGETS_STAND_IN is for tests: http://127.0.0.1, not on mainnet.",
    );
  }
  return { names, scriptOrigin: origin, frameOrigins: [origin] };
}
