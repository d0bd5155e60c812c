// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import type { Coin } from "#core/asset.ts";
import type { SourceHealth } from "#core/payments/source-health.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { amount, bytes, time } from "#server/platform/columns.ts";
import { bigint, boolean, integer, pgTable, text, uuid } from "#server/platform/tables.ts";
import { sql } from "#server/platform/sql.ts";

export const wallets = pgTable("wallets", {
  id: uuid("id").notNull(),
  chain: text("chain").$type<"bitcoin" | "ethereum">().notNull(),
  network: text("network").$type<"regtest" | "testnet" | "mainnet">().notNull(),
  descriptor: text("descriptor").notNull(),
  firstSeenAt: time("first_seen_at").notNull(),
  nextIndex: integer("next_index").notNull().default(sql`default`),
  comparedAt: time("compared_at"),
  comparedActionId: uuid("compared_action_id"),
});

export const chainPositions = pgTable("chain_positions", {
  chain: text("chain").$type<"bitcoin" | "ethereum">().notNull(),
  beganAtHeight: integer("began_at_height").notNull(),
  height: integer("height").notNull(),
  hash: text("hash").notNull(),
  blockTime: time("block_time").notNull(),
  readAt: time("read_at").notNull(),
  finalizedHeight: integer("finalized_height"),
  finalizedHash: text("finalized_hash"),
});

export const chainBlocks = pgTable("chain_blocks", {
  chain: text("chain").$type<"bitcoin" | "ethereum">().notNull(),
  height: integer("height").notNull(),
  hash: text("hash").notNull(),
  bits: bigint("bits", { mode: "number" }),
});

export const chainSources = pgTable("chain_sources", {
  chain: text("chain").$type<"bitcoin" | "ethereum">().notNull(),
  health: text("health").$type<"following" | "catching-up" | "unreachable" | "unauthorized" | "warming-up" | "syncing" | "stale" | "behind" | "pruned" | "another-chain" | "lying" | "reorg-too-deep" | "not-finalizing" | "wrong-token" | "no-traces" | "foreign-address">().notNull(),
  detail: text("detail").notNull(),
  since: time("since").notNull(),
  askedAt: time("asked_at").notNull(),
  tipHeight: integer("tip_height"),
});

export const chainIncidents = pgTable("chain_incidents", {
  id: bigint("id", { mode: "bigint" }).notNull().generatedAlwaysAsIdentity(),
  chain: text("chain").$type<WalletChain>().notNull(),
  health: text("health").$type<SourceHealth>().notNull(),
  detail: text("detail").notNull(),
  beganAt: time("began_at").notNull(),
  endedAt: time("ended_at"),
});

export const chainTransactions = pgTable("chain_transactions", {
  chain: text("chain").$type<"bitcoin" | "ethereum">().notNull(),
  txid: text("txid").notNull(),
  raw: bytes("raw"),
  firstSeenAt: time("first_seen_at").notNull(),
  spends: text("spends").array(),
});

export const ownTransactions = pgTable("own_transactions", {
  txid: text("txid").notNull(),
});

export const chainReorgs = pgTable("chain_reorgs", {
  id: uuid("id").notNull(),
  chain: text("chain").$type<WalletChain>().notNull(),
  forkHeight: integer("fork_height").notNull(),
  oldHeight: integer("old_height").notNull(),
  oldHash: text("old_hash").notNull(),
  payments: integer("payments").notNull(),
  foundAt: time("found_at").notNull(),
});

export const chainDeepReorgs = pgTable("chain_deep_reorgs", {
  id: uuid("id").notNull(),
  chain: text("chain").$type<"bitcoin" | "ethereum">().notNull(),
  oldHeight: integer("old_height").notNull(),
  oldHash: text("old_hash").notNull(),
  newHash: text("new_hash").notNull(),
  forkHeight: integer("fork_height").notNull(),
  forkHash: text("fork_hash").notNull(),
  reason: text("reason").notNull(),
  state: text("state").$type<"open" | "confirmed" | "declined" | "done">().notNull().default(sql`default`),
  proposedBy: uuid("proposed_by").notNull(),
  proposedByAct: uuid("proposed_by_act").notNull(),
  proposedAt: time("proposed_at").notNull(),
  decidedBy: uuid("decided_by"),
  decidedByAct: uuid("decided_by_act"),
  decidedAt: time("decided_at"),
  reorgId: uuid("reorg_id"),
});

export const walletAddresses = pgTable("wallet_addresses", {
  address: text("address").notNull(),
  walletId: uuid("wallet_id").notNull(),
  branch: integer("branch").$type<0 | 2>().notNull(),
  derivationIndex: integer("derivation_index").notNull(),
  purpose: text("purpose").$type<"customers" | "own">().notNull(),
  writtenAt: time("written_at").notNull(),
  askedAt: time("asked_at"),
  seenAt: time("seen_at"),
});

export const depositAddresses = pgTable("deposit_addresses", {
  walletId: uuid("wallet_id").notNull(),
  derivationIndex: integer("derivation_index").notNull(),
  customerId: uuid("customer_id").notNull(),
  address: text("address").notNull(),
  issuedAt: time("issued_at").notNull(),
  branch: integer("branch").$type<0 | 2>().notNull(),
});

export const chainScripts = pgTable("chain_scripts", {
  script: bytes("script").notNull(),
  address: text("address").notNull(),
});

export const chainPayments = pgTable("chain_payments", {
  id: uuid("id").notNull(),
  chain: text("chain").$type<"bitcoin" | "ethereum">().notNull(),
  txid: text("txid").notNull(),
  outputIndex: integer("output_index").notNull(),
  asset: text("asset").$type<Coin>().notNull(),
  address: text("address").notNull(),
  units: amount("units").notNull(),
  coinbase: boolean("coinbase").notNull().default(sql`default`),
  fromOwn: boolean("from_own").notNull().default(sql`default`),
  state: text("state").$type<"seen" | "mined" | "dropped" | "orphaned">().notNull(),
  blockHeight: integer("block_height"),
  blockHash: text("block_hash"),
  blockTime: time("block_time"),
  seenAt: time("seen_at").notNull(),
  changedAt: time("changed_at").notNull(),
  orphanedAt: time("orphaned_at"),
  settledAt: time("settled_at"),
  askAt: time("ask_at").notNull().default(sql`default`),
  refusals: integer("refusals").notNull().default(sql`default`),
  refusal: text("refusal"),
  refusedAt: time("refused_at"),
  customerId: uuid("customer_id"),
  resolutionId: uuid("resolution_id"),
  resolvedAs: text("resolved_as").$type<"customers" | "operators" | "set-aside">(),
  counts: boolean("counts").notNull().generatedAlwaysAs(sql``),
});
