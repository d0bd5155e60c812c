// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import type { ScannedCoin } from "#server/withdrawals/bitcoin/coin.ts";
import { amount, bytes, time } from "#server/platform/columns.ts";
import { bigint, boolean, date, integer, jsonb, pgTable, text, uuid } from "#server/platform/tables.ts";
import { sql } from "#server/platform/sql.ts";

export const withdrawalAddresses = pgTable("withdrawal_addresses", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  asset: text("asset").$type<"BTC" | "ETH" | "USDT">().notNull(),
  address: text("address").notNull(),
  label: text("label").notNull(),
  addedAt: time("added_at").notNull(),
  usableFrom: time("usable_from").notNull(),
  removedAt: time("removed_at"),
});

export const coinScans = pgTable("coin_scans", {
  id: uuid("id").notNull(),
  walletId: uuid("wallet_id").notNull(),
  askedBy: uuid("asked_by").notNull(),
  askedByAct: uuid("asked_by_act").notNull(),
  askedAt: time("asked_at").notNull(),
  finishedAt: time("finished_at"),
  height: integer("height"),
  coins: jsonb("coins").$type<ScannedCoin[]>(),
  fault: text("fault"),
});

export const withdrawalBatches = pgTable("withdrawal_batches", {
  id: uuid("id").notNull(),
  submissionKey: uuid("submission_key").notNull(),
  walletId: uuid("wallet_id"),
  day: date("day").notNull(),
  needsTwo: boolean("needs_two").notNull(),
  changeIndex: integer("change_index"),
  anchorTxid: text("anchor_txid"),
  anchorVout: integer("anchor_vout"),
  formedHeight: integer("formed_height").notNull(),
  formedBy: uuid("formed_by").notNull(),
  formedByAct: uuid("formed_by_act").notNull(),
  formedAt: time("formed_at").notNull(),
  state: text("state").$type<"formed" | "broadcast" | "settled" | "failed">().notNull().default(sql`default`),
  broadcastAt: time("broadcast_at"),
  minedHeight: integer("mined_height"),
  minedHash: text("mined_hash"),
  minedVersionId: uuid("mined_version_id"),
  endedAt: time("ended_at"),
  feeTransferId: uuid("fee_transfer_id"),
  chain: text("chain").$type<"bitcoin" | "ethereum">().notNull(),
  chainId: bigint("chain_id", { mode: "number" }),
  hotWallet: text("hot_wallet"),
  purpose: text("purpose").$type<"withdrawals" | "consolidation">().notNull(),
  anchorGoneHeight: integer("anchor_gone_height"),
  searchedHeight: integer("searched_height"),
  searchedHash: text("searched_hash"),
  abandonmentId: uuid("abandonment_id"),
});

export const withdrawalBatchCoins = pgTable("withdrawal_batch_coins", {
  batchId: uuid("batch_id").notNull(),
  txid: text("txid").notNull(),
  vout: integer("vout").notNull(),
  units: amount("units").notNull(),
  branch: integer("branch").$type<0 | 1 | 2>().notNull(),
  derivationIndex: integer("derivation_index").notNull(),
  blockHash: text("block_hash").notNull(),
  releasedAt: time("released_at"),
});

export const withdrawalBatchVersions = pgTable("withdrawal_batch_versions", {
  id: uuid("id").notNull(),
  batchId: uuid("batch_id").notNull(),
  number: integer("number").notNull(),
  feePerKvb: integer("fee_per_kvb"),
  feeUnits: amount("fee_units").notNull(),
  changeUnits: amount("change_units").notNull(),
  spends: text("spends").array().notNull(),
  pays: uuid("pays").array().notNull(),
  txid: text("txid"),
  mark: bytes("mark"),
  unsigned: bytes("unsigned").notNull(),
  reason: text("reason"),
  madeBy: uuid("made_by").notNull(),
  madeByAct: uuid("made_by_act").notNull(),
  madeAt: time("made_at").notNull(),
  raw: bytes("raw"),
  signedBy: uuid("signed_by"),
  signedByAct: uuid("signed_by_act"),
  signedAt: time("signed_at"),
  aloneAt: time("alone_at"),
  orderedBy: uuid("ordered_by"),
  orderedByAct: uuid("ordered_by_act"),
  orderedAt: time("ordered_at"),
  sentAt: time("sent_at"),
  fault: text("fault"),
  maxFeePerGas: amount("max_fee_per_gas"),
  maxPriorityFeePerGas: amount("max_priority_fee_per_gas"),
});

export const withdrawals = pgTable("withdrawals", {
  id: uuid("id").notNull(),
  customerId: uuid("customer_id").notNull(),
  requestKey: uuid("request_key").notNull(),
  asset: text("asset").$type<"BTC" | "ETH" | "USDT">().notNull(),
  address: text("address").notNull(),
  units: amount("units").notNull(),
  feeUnits: amount("fee_units").notNull(),
  takesAll: boolean("takes_all").notNull(),
  isFinal: boolean("is_final").notNull(),
  usdCents: amount("usd_cents"),
  priceId: uuid("price_id"),
  requestedAt: time("requested_at").notNull(),
  payableFrom: time("payable_from").notNull(),
  dueOn: date("due_on").notNull(),
  confirmTokenSha256: bytes("confirm_token_sha256").notNull(),
  confirmBy: time("confirm_by").notNull(),
  requestTransferId: uuid("request_transfer_id").notNull(),
  state: text("state").$type<"requested" | "confirmed" | "approved" | "batched" | "broadcast" | "settled" | "cancelled" | "rejected" | "returned">().notNull().default(sql`default`),
  confirmedAt: time("confirmed_at"),
  approvedBy: uuid("approved_by"),
  approvedByAct: uuid("approved_by_act"),
  approvedAt: time("approved_at"),
  batchId: uuid("batch_id"),
  broadcastAt: time("broadcast_at"),
  endedAt: time("ended_at"),
  endedBy: text("ended_by").$type<"customer" | "mail-link" | "time" | "staff" | "chain">(),
  endedByAct: uuid("ended_by_act"),
  reason: text("reason"),
  endTransferId: uuid("end_transfer_id"),
});

export const withdrawalHolds = pgTable("withdrawal_holds", {
  id: uuid("id").notNull(),
  withdrawalId: uuid("withdrawal_id").notNull(),
  reason: text("reason").notNull(),
  placedBy: uuid("placed_by").notNull(),
  placedByAct: uuid("placed_by_act").notNull(),
  placedAt: time("placed_at").notNull(),
  endsAt: time("ends_at").notNull(),
  liftedBy: uuid("lifted_by"),
  liftedByAct: uuid("lifted_by_act"),
  liftedAt: time("lifted_at"),
});

export const failingWithdrawals = pgTable("failing_withdrawals", {
  withdrawalId: uuid("withdrawal_id").notNull(),
  saidAt: time("said_at").notNull(),
});

export const withdrawalBatchIncidents = pgTable("withdrawal_batch_incidents", {
  batchId: uuid("batch_id").notNull(),
  health: text("health").$type<"unreachable" | "unauthorized" | "warming-up" | "syncing" | "stale" | "behind" | "pruned" | "another-chain" | "lying" | "reorg-too-deep" | "not-finalizing" | "wrong-token" | "no-traces" | "foreign-address">().notNull(),
  detail: text("detail").notNull(),
  since: time("since").notNull(),
  lastPolledAt: time("last_polled_at").notNull(),
});

export const withdrawalAbandonments = pgTable("withdrawal_abandonments", {
  id: uuid("id").notNull(),
  batchId: uuid("batch_id").notNull(),
  reason: text("reason").notNull(),
  state: text("state").$type<"open" | "confirmed" | "declined">().notNull().default(sql`default`),
  proposedBy: uuid("proposed_by").notNull(),
  proposedByAct: uuid("proposed_by_act").notNull(),
  proposedAt: time("proposed_at").notNull(),
  decidedBy: uuid("decided_by"),
  decidedByAct: uuid("decided_by_act"),
  decidedAt: time("decided_at"),
});

export const withdrawalPayments = pgTable("withdrawal_payments", {
  withdrawalId: uuid("withdrawal_id").notNull(),
  batchId: uuid("batch_id").notNull(),
  chainId: bigint("chain_id", { mode: "number" }).notNull(),
  hotWallet: text("hot_wallet").notNull(),
  nonce: bigint("nonce", { mode: "number" }).notNull(),
  token: text("token"),
  minedHeight: integer("mined_height"),
  minedHash: text("mined_hash"),
  minedTxid: text("mined_txid"),
  outcome: text("outcome").$type<"paid" | "undelivered" | "reverted" | "voided" | "overtaken" | "abandoned">(),
  feeUnits: amount("fee_units"),
  feeTransferId: uuid("fee_transfer_id"),
  fault: text("fault"),
  endedAt: time("ended_at"),
  resolutionId: uuid("resolution_id"),
});

export const withdrawalTransactions = pgTable("withdrawal_transactions", {
  versionId: uuid("version_id").notNull(),
  withdrawalId: uuid("withdrawal_id").notNull(),
  pays: boolean("pays").notNull(),
  gasLimit: bigint("gas_limit", { mode: "number" }).notNull(),
  unsigned: bytes("unsigned").notNull(),
  raw: bytes("raw"),
  txid: text("txid"),
  sentAt: time("sent_at"),
  fault: text("fault"),
});

export const withdrawalResolutions = pgTable("withdrawal_resolutions", {
  id: uuid("id").notNull(),
  withdrawalId: uuid("withdrawal_id").notNull(),
  txid: text("txid").notNull(),
  says: text("says").$type<"paid" | "undelivered">().notNull(),
  reason: text("reason").notNull(),
  state: text("state").$type<"open" | "confirmed" | "declined">().notNull().default(sql`default`),
  proposedBy: uuid("proposed_by").notNull(),
  proposedByAct: uuid("proposed_by_act").notNull(),
  proposedAt: time("proposed_at").notNull(),
  decidedBy: uuid("decided_by"),
  decidedByAct: uuid("decided_by_act"),
  decidedAt: time("decided_at"),
});
