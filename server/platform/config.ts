import type { Coin } from "#core/asset.ts";
import type { Network } from "#core/payments/address.ts";
import type { CoinTerms } from "#core/payments/withdrawal.ts";
import type { EmbedName } from "#core/text/embeds.ts";
import type { WalletChain, WalletKey } from "#core/wallet/wallet-key.ts";
import type { KeyRing } from "./files/key-ring.ts";

export const networks = ["regtest", "testnet", "mainnet"] as const satisfies Network[];

export const roles = ["all", "web", "worker"] as const;

type Role = (typeof roles)[number];

export const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;

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
  /** The most connections that a process opens for requests and jobs; null: its own number. */
  databaseConnections: number | null;
  /** Null: mail goes to `dataDir`/outbox. */
  smtpUrl: string | null;
  mailFrom: string;
  authSecret: string;
  /** The one before, while what it has signed and sealed is still to be taken; null: none. */
  authSecretBefore: string | null;
  logLevel: LogLevel;
  /** Where Prometheus asks; null: it does not. */
  metrics: { host: string; port: number } | null;
  network: Network;
  role: Role;
  /** How many processes answer HTTP; 1 or 0: the one that was started. */
  webProcesses: number;
  /** How long a process that is told to stop goes on answering, while it says that it is not ready. */
  drainSeconds: number;
  /** Whether every page is marked as a demo. */
  demo: boolean;
  /** Proxies in front whose X-Forwarded-For is believed; 0: the socket's address counts. */
  trustedProxies: number;
  /** What customers can pay in and buy with, in the order of `coins`; always with BTC. */
  coins: readonly Coin[];
  /** Whether payment slips are taken only for coins whose payments nobody credits from the chain. */
  slips: "when-needed" | "always";
  /** The public keys of the operator's wallets, from which every customer gets their own address; null: none given. */
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
  bitcoinChain: { url: string } | null;
  /** How often it is asked what is new. */
  bitcoinPollSeconds: number;
  /** Who is asked about the Ethereum chain; null: nobody, and payments are not seen. */
  ethereumChain: EthereumChain | null;
  ethereumPollSeconds: number;
  /** What a payment waits for, by its quantity: the last step that it reaches. */
  confirmations: Record<Coin, ConfirmationStep[]>;
  /** Ether from contracts that one customer is credited with in 24 hours by the node's word alone. */
  internalEtherUnits: bigint;
  /** Braiins Pool's read-only API, which is asked for payouts; null: it is not. */
  braiins: { url: string; token: string } | null;
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
  /** Where backups go, by whose public keys they are sealed, and for how long; null: none are made. */
  backups: {
    folder: string;
    recipients: string[];
    keysRecipients: string[];
    keepDays: number;
    /** Every setting of the environment, by name. */
    settings: Record<string, string>;
  } | null;
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

/** The exchanges whose language the product speaks, and where they answer. */
export const exchanges = {
  kraken: "https://api.kraken.com",
  coinbase: "https://api.exchange.coinbase.com",
  bitstamp: "https://www.bitstamp.net",
};

export type ExchangeName = keyof typeof exchanges;
