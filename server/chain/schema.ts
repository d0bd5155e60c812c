import type { Coin } from "#core/asset.ts";
import type { Network } from "#core/payments/address.ts";
import type { DeepReorgState } from "#core/payments/deep-reorg.ts";
import type { PaymentResolution } from "#core/payments/payment-resolution.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { sql } from "#server/platform/sql.ts";
import {
  bigint,
  boolean,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "#server/platform/tables.ts";
import { auditLog, customers, decidedByTwo } from "../identity/schema.ts";
import { amount, bytes, time } from "../platform/columns.ts";
import type { PaymentState } from "./payment.ts";
import type { SourceHealth } from "./source-health.ts";

export const wallets = pgTable(
  "wallets",
  {
    id: uuid().primaryKey(),
    chain: text().$type<WalletChain>().notNull(),
    network: text().$type<Network>().notNull(),
    descriptor: text().notNull(),
    firstSeenAt: time("first_seen_at").notNull(),
    /** Above every index that was given out, on whatever branch. PostgreSQL moves it. */
    nextIndex: integer("next_index").notNull().default(0),
    comparedAt: time("compared_at"),
    comparedActionId: uuid("compared_action_id").references(() => auditLog.id),
  },
  (t) => [unique("one_wallet_per_descriptor").on(t.network, t.descriptor)],
);

/** Every address that is watched: customers', the next ones for customers, and the operator's own. */
export const walletAddresses = pgTable(
  "wallet_addresses",
  {
    address: text().primaryKey(),
    walletId: uuid("wallet_id")
      .notNull()
      .references(() => wallets.id),
    branch: integer().$type<0 | 2>().notNull(),
    derivationIndex: integer("derivation_index").notNull(),
    purpose: text().$type<"customers" | "own">().notNull(),
    writtenAt: time("written_at").notNull(),
    /** When a node was last asked whether anything had ever happened there; null: never. */
    askedAt: time("asked_at"),
    /** Since when something has been there. Such an address is given to nobody. */
    seenAt: time("seen_at"),
  },
  (t) => [unique("one_address_per_place").on(t.walletId, t.branch, t.derivationIndex)],
);

export const depositAddresses = pgTable(
  "deposit_addresses",
  {
    walletId: uuid("wallet_id")
      .notNull()
      .references(() => wallets.id),
    branch: integer().$type<0 | 2>().notNull(),
    derivationIndex: integer("derivation_index").notNull(),
    customerId: uuid("customer_id")
      .notNull()
      .references(() => customers.id),
    address: text()
      .notNull()
      .unique("one_customer_per_address")
      .references(() => walletAddresses.address),
    issuedAt: time("issued_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.walletId, t.branch, t.derivationIndex] }),
    unique("one_address_per_customer_and_wallet").on(t.customerId, t.walletId),
  ],
);

export const chainScripts = pgTable("chain_scripts", {
  /** What an output pays to when it pays the address. */
  script: bytes().primaryKey(),
  address: text()
    .notNull()
    .unique("one_script_per_address")
    .references(() => walletAddresses.address),
});

/** How far a chain was read. */
export const chainPositions = pgTable("chain_positions", {
  chain: text().$type<WalletChain>().primaryKey(),
  beganAtHeight: integer("began_at_height").notNull(),
  height: integer().notNull(),
  hash: text().notNull(),
  /** By the block's own clock. */
  blockTime: time("block_time").notNull(),
  readAt: time("read_at").notNull(),
  /** The newest block that was read and that the chain calls final; null: none. */
  finalizedHeight: integer("finalized_height"),
  finalizedHash: text("finalized_hash"),
});

/** The newest blocks that were read. */
export const chainBlocks = pgTable(
  "chain_blocks",
  {
    chain: text()
      .$type<WalletChain>()
      .notNull()
      .references(() => chainPositions.chain),
    height: integer().notNull(),
    hash: text().notNull(),
    bits: bigint({ mode: "number" }),
  },
  (t) => [primaryKey({ name: "one_block_per_height", columns: [t.chain, t.height] })],
);

/** Who is asked about a chain, and what became of the last question. */
export const chainSources = pgTable("chain_sources", {
  chain: text().$type<WalletChain>().primaryKey(),
  health: text().$type<SourceHealth>().notNull(),
  detail: text().notNull(),
  since: time("since").notNull(),
  askedAt: time("asked_at").notNull(),
  tipHeight: integer("tip_height"),
});

export const chainIncidents = pgTable("chain_incidents", {
  id: bigint({ mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
  chain: text().$type<WalletChain>().notNull(),
  health: text().$type<SourceHealth>().notNull(),
  detail: text().notNull(),
  beganAt: time("began_at").notNull(),
  endedAt: time("ended_at"),
});

/** Transactions that paid our addresses: Bitcoin's with their bytes. */
export const chainTransactions = pgTable(
  "chain_transactions",
  {
    chain: text().$type<WalletChain>().notNull(),
    txid: text().notNull(),
    raw: bytes(),
    firstSeenAt: time("first_seen_at").notNull(),
    /** Bitcoin: `txid:output` of each coin that it spends. */
    spends: text().array(),
  },
  (t) => [primaryKey({ name: "one_row_per_transaction", columns: [t.chain, t.txid] })],
);

/** What arrived at an address that is watched, once for each output, or each place in an Ethereum transaction: `ethereum-place.ts`. */
export const chainPayments = pgTable(
  "chain_payments",
  {
    id: uuid().primaryKey(),
    chain: text().$type<WalletChain>().notNull(),
    txid: text().notNull(),
    outputIndex: integer("output_index").notNull(),
    asset: text().$type<Coin>().notNull(),
    address: text()
      .notNull()
      .references(() => walletAddresses.address),
    units: amount("units").notNull(),
    /** New coins of a block. */
    coinbase: boolean().notNull().default(false),
    /** At an address of the operator's own: whether it spends the wallet's coins. PostgreSQL says so. */
    fromOwn: boolean("from_own").notNull().default(false),
    state: text().$type<PaymentState>().notNull(),
    blockHeight: integer("block_height"),
    blockHash: text("block_hash"),
    blockTime: time("block_time"),
    seenAt: time("seen_at").notNull(),
    changedAt: time("changed_at").notNull(),
    /** When a block that held it left the chain last. */
    orphanedAt: time("orphaned_at"),
    /** Since when it is counted in the journal; null: it is not. */
    settledAt: time("settled_at"),
    /** When it is settled next. */
    askAt: time("ask_at").notNull().default(sql`now()`),
    /** How often it could not be, in a row, and why and when it last could not. */
    refusals: integer().notNull().default(0),
    refusal: text(),
    refusedAt: time("refused_at"),
    /** Whose address it was when it was first seen; null: nobody's. PostgreSQL says so. */
    customerId: uuid("customer_id").references(() => customers.id),
    /** The resolution of two people about it, of server/deposits. */
    resolutionId: uuid("resolution_id"),
    resolvedAs: text("resolved_as").$type<PaymentResolution>(),
    /** Whether it ought to be in the ledger. PostgreSQL says so. */
    counts: boolean().notNull().generatedAlwaysAs(sql`state = 'mined'`),
  },
  (t) => [
    unique("one_payment_per_output_and_content").on(
      t.chain,
      t.txid,
      t.outputIndex,
      t.asset,
      t.address,
      t.units,
    ),
  ],
);

/** Branches of a chain that were left. */
export const chainReorgs = pgTable("chain_reorgs", {
  id: uuid().primaryKey(),
  chain: text().$type<WalletChain>().notNull(),
  /** The last block that both branches have. */
  forkHeight: integer("fork_height").notNull(),
  oldHeight: integer("old_height").notNull(),
  oldHash: text("old_hash").notNull(),
  /** How many payments were in the blocks that left. */
  payments: integer().notNull(),
  foundAt: time("found_at").notNull(),
});

/** What two people say of a chain that has left blocks which were settled: on which branch reading goes on, and from where. */
export const chainDeepReorgs = pgTable("chain_deep_reorgs", {
  id: uuid().primaryKey(),
  chain: text()
    .$type<WalletChain>()
    .notNull()
    .references(() => chainPositions.chain),
  /** The newest block that was read, and what the source has at that height instead. */
  oldHeight: integer("old_height").notNull(),
  oldHash: text("old_hash").notNull(),
  newHash: text("new_hash").notNull(),
  /** The last block that both branches are known to have. */
  forkHeight: integer("fork_height").notNull(),
  forkHash: text("fork_hash").notNull(),
  reason: text().notNull(),
  state: text().$type<DeepReorgState>().notNull().default("open"),
  ...decidedByTwo(),
  reorgId: uuid("reorg_id").references(() => chainReorgs.id),
});
