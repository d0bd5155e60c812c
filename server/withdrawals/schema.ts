import {
  boolean,
  date,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import type {
  BatchState,
  WithdrawalCoin,
  WithdrawalEnder,
  WithdrawalState,
} from "#core/withdrawal.ts";
import { wallets } from "../chain/schema.ts";
import { auditLog, customers, operators } from "../identity/schema.ts";
import { ledgerTransfers } from "../ledger/schema.ts";
import { marketPrices } from "../markets/schema.ts";
import { amount, bytes, time } from "../platform/columns.ts";
import type { ScannedCoin } from "./coin.ts";

const person = (name: string) => uuid(name).references(() => operators.id);
const act = (name: string) => uuid(name).references(() => auditLog.id);
const transfer = (name: string) => uuid(name).references(() => ledgerTransfers.id);
const customerId = () =>
  uuid("customer_id")
    .notNull()
    .references(() => customers.id);

export const withdrawalAddresses = pgTable("withdrawal_addresses", {
  id: uuid().primaryKey(),
  customerId: customerId(),
  asset: text().$type<WithdrawalCoin>().notNull(),
  address: text().notNull(),
  label: text().notNull(),
  addedAt: time("added_at").notNull(),
  /** Nothing leaves to it before. */
  usableFrom: time("usable_from").notNull(),
  removedAt: time("removed_at"),
});

export const coinScans = pgTable("coin_scans", {
  id: uuid().primaryKey(),
  walletId: uuid("wallet_id")
    .notNull()
    .references(() => wallets.id),
  askedBy: person("asked_by").notNull(),
  askedByAct: act("asked_by_act").notNull(),
  askedAt: time("asked_at").notNull(),
  finishedAt: time("finished_at"),
  /** Of the chain whose unspent outputs were looked through. */
  height: integer(),
  coins: jsonb().$type<ScannedCoin[]>(),
  fault: text(),
});

export const withdrawalBatches = pgTable("withdrawal_batches", {
  id: uuid().primaryKey(),
  submissionKey: uuid("submission_key").notNull(),
  walletId: uuid("wallet_id")
    .notNull()
    .references(() => wallets.id),
  day: date().notNull(),
  needsTwo: boolean("needs_two").notNull(),
  changeIndex: integer("change_index").notNull(),
  /** The coin that every version spends. */
  anchorTxid: text("anchor_txid").notNull(),
  anchorVout: integer("anchor_vout").notNull(),
  formedHeight: integer("formed_height").notNull(),
  formedBy: person("formed_by").notNull(),
  formedByAct: act("formed_by_act").notNull(),
  formedAt: time("formed_at").notNull(),
  state: text().$type<BatchState>().notNull().default("formed"),
  broadcastAt: time("broadcast_at"),
  /** The block that spends the anchor, as the node said last. */
  minedHeight: integer("mined_height"),
  minedHash: text("mined_hash"),
  /** Null with a block: something else spent it. */
  minedVersionId: uuid("mined_version_id"),
  endedAt: time("ended_at"),
  feeTransferId: transfer("fee_transfer_id"),
});

export const withdrawalBatchCoins = pgTable(
  "withdrawal_batch_coins",
  {
    batchId: uuid("batch_id")
      .notNull()
      .references(() => withdrawalBatches.id),
    txid: text().notNull(),
    vout: integer().notNull(),
    units: amount("units").notNull(),
    branch: integer().$type<0 | 1>().notNull(),
    derivationIndex: integer("derivation_index").notNull(),
    blockHash: text("block_hash").notNull(),
    releasedAt: time("released_at"),
  },
  (t) => [primaryKey({ columns: [t.batchId, t.txid, t.vout] })],
);

export const withdrawalBatchVersions = pgTable("withdrawal_batch_versions", {
  id: uuid().primaryKey(),
  batchId: uuid("batch_id")
    .notNull()
    .references(() => withdrawalBatches.id),
  number: integer().notNull(),
  /** Satoshis per virtual byte. */
  feeRate: integer("fee_rate").notNull(),
  feeUnits: amount("fee_units").notNull(),
  changeUnits: amount("change_units").notNull(),
  /** `txid:vout` of each coin. */
  spends: text().array().notNull(),
  pays: uuid().array().notNull(),
  txid: text().notNull(),
  psbt: bytes().notNull(),
  reason: text(),
  madeBy: person("made_by").notNull(),
  madeByAct: act("made_by_act").notNull(),
  madeAt: time("made_at").notNull(),
  raw: bytes(),
  signedBy: person("signed_by"),
  signedByAct: act("signed_by_act"),
  signedAt: time("signed_at"),
  orderedBy: person("ordered_by"),
  orderedByAct: act("ordered_by_act"),
  orderedAt: time("ordered_at"),
  sentAt: time("sent_at"),
  /** What the node said when it would not take it. */
  fault: text(),
});

export const withdrawals = pgTable("withdrawals", {
  id: uuid().primaryKey(),
  customerId: customerId(),
  requestKey: uuid("request_key").notNull(),
  asset: text().$type<WithdrawalCoin>().notNull(),
  address: text().notNull(),
  /** What leaves the balance; the fee is part of it. */
  units: amount("units").notNull(),
  feeUnits: amount("fee_units").notNull(),
  takesAll: boolean("takes_all").notNull(),
  isFinal: boolean("is_final").notNull(),
  usdCents: amount("usd_cents"),
  priceId: uuid("price_id").references(() => marketPrices.id),
  requestedAt: time("requested_at").notNull(),
  payableFrom: time("payable_from").notNull(),
  dueOn: date("due_on").notNull(),
  confirmTokenSha256: bytes("confirm_token_sha256").notNull(),
  confirmBy: time("confirm_by").notNull(),
  requestTransferId: transfer("request_transfer_id").notNull(),
  state: text().$type<WithdrawalState>().notNull().default("requested"),
  confirmedAt: time("confirmed_at"),
  approvedBy: person("approved_by"),
  approvedByAct: act("approved_by_act"),
  approvedAt: time("approved_at"),
  batchId: uuid("batch_id").references(() => withdrawalBatches.id),
  broadcastAt: time("broadcast_at"),
  endedAt: time("ended_at"),
  endedBy: text("ended_by").$type<WithdrawalEnder>(),
  endedByAct: act("ended_by_act"),
  reason: text(),
  endTransferId: transfer("end_transfer_id"),
});

export const withdrawalHolds = pgTable("withdrawal_holds", {
  id: uuid().primaryKey(),
  withdrawalId: uuid("withdrawal_id")
    .notNull()
    .references(() => withdrawals.id),
  reason: text().notNull(),
  placedBy: person("placed_by").notNull(),
  placedByAct: act("placed_by_act").notNull(),
  placedAt: time("placed_at").notNull(),
  endsAt: time("ends_at").notNull(),
  liftedBy: person("lifted_by"),
  liftedByAct: act("lifted_by_act"),
  liftedAt: time("lifted_at"),
});
