import type { Coin } from "#core/asset.ts";
import type {
  AbandonmentState,
  BatchPurpose,
  BatchState,
  PaymentOutcome,
  ResolutionSays,
  ResolutionState,
  WithdrawalEnder,
  WithdrawalState,
} from "#core/payments/withdrawal.ts";
import type { Branch, WalletChain } from "#core/wallet/wallet-key.ts";
import {
  bigint,
  boolean,
  date,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "#server/platform/tables.ts";
import { wallets } from "../chain/schema.ts";
import type { SourceHealth } from "../chain/source-health.ts";
import { auditLog, customers, operators } from "../identity/schema.ts";
import { ledgerTransfers } from "../ledger/schema.ts";
import { marketPrices } from "../markets/schema.ts";
import { amount, bytes, time } from "../platform/columns.ts";
import type { ScannedCoin } from "./bitcoin/coin.ts";

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
  asset: text().$type<Coin>().notNull(),
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
  chain: text().$type<WalletChain>().notNull(),
  day: date().notNull(),
  needsTwo: boolean("needs_two").notNull(),
  /** Of Bitcoin, as the next three are; the anchor is the coin that every version spends. */
  walletId: uuid("wallet_id").references(() => wallets.id),
  changeIndex: integer("change_index"),
  anchorTxid: text("anchor_txid"),
  anchorVout: integer("anchor_vout"),
  /** Of Ethereum: whose nonces are taken, on which chain. */
  chainId: bigint("chain_id", { mode: "number" }),
  hotWallet: text("hot_wallet"),
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
  purpose: text().$type<BatchPurpose>().notNull(),
  /** When the node had neither the anchor nor a block that spends it for the first time; null: it has one of them. */
  anchorGoneHeight: integer("anchor_gone_height"),
  /** Up to this block nothing has spent the anchor. */
  searchedHeight: integer("searched_height"),
  searchedHash: text("searched_hash"),
  /** What two people decided, where no version can be mined. */
  abandonmentId: uuid("abandonment_id"),
});

/** A proposal to end a batch of which no version can be mined. */
export const withdrawalAbandonments = pgTable("withdrawal_abandonments", {
  id: uuid().primaryKey(),
  batchId: uuid("batch_id")
    .notNull()
    .references(() => withdrawalBatches.id),
  reason: text().notNull(),
  state: text().$type<AbandonmentState>().notNull().default("open"),
  proposedBy: person("proposed_by").notNull(),
  proposedByAct: act("proposed_by_act").notNull(),
  proposedAt: time("proposed_at").notNull(),
  decidedBy: person("decided_by"),
  decidedByAct: act("decided_by_act"),
  decidedAt: time("decided_at"),
});

/** What the node said would fail when a batch was formed last. */
export const failingWithdrawals = pgTable("failing_withdrawals", {
  withdrawalId: uuid("withdrawal_id")
    .primaryKey()
    .references(() => withdrawals.id),
  saidAt: time("said_at").notNull(),
});

/** What keeps a batch from being followed, while something does. */
export const withdrawalBatchIncidents = pgTable("withdrawal_batch_incidents", {
  batchId: uuid("batch_id")
    .primaryKey()
    .references(() => withdrawalBatches.id),
  health: text().$type<SourceHealth>().notNull(),
  detail: text().notNull(),
  since: time("since").notNull(),
  lastPolledAt: time("last_polled_at").notNull(),
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
    branch: integer().$type<Branch>().notNull(),
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
  /** Satoshis per 1,000 virtual bytes; null: it is of Ethereum. */
  feePerKvb: integer("fee_per_kvb"),
  /** Wei per unit of gas; null: it is of Bitcoin. */
  maxFeePerGas: amount("max_fee_per_gas"),
  maxPriorityFeePerGas: amount("max_priority_fee_per_gas"),
  /** Of Ethereum the most that it can be, in wei. */
  feeUnits: amount("fee_units").notNull(),
  changeUnits: amount("change_units").notNull(),
  /** `txid:vout` of each coin, or `hotWallet:nonce` of each payment. */
  spends: text().array().notNull(),
  pays: uuid().array().notNull(),
  /** Null: each payment has a transaction of its own. */
  txid: text(),
  /** The digest of the day that it carries into the chain; null: none. */
  mark: bytes(),
  /** What is to be signed, as it is taken away: a PSBT, or JSON with every transaction. */
  unsigned: bytes().notNull(),
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
  /** When who formed the batch or built this ordered it as well. */
  aloneAt: time("alone_at"),
  sentAt: time("sent_at"),
  /** What the node said when it would not take it. */
  fault: text(),
});

/** A payment on Ethereum and the nonce that every version of it takes. */
export const withdrawalPayments = pgTable("withdrawal_payments", {
  withdrawalId: uuid("withdrawal_id")
    .primaryKey()
    .references(() => withdrawals.id),
  batchId: uuid("batch_id")
    .notNull()
    .references(() => withdrawalBatches.id),
  chainId: bigint("chain_id", { mode: "number" }).notNull(),
  hotWallet: text("hot_wallet").notNull(),
  nonce: bigint({ mode: "number" }).notNull(),
  /** The contract through which it is paid; null: ether. */
  token: text(),
  /** The block in which the nonce is taken, as the node said last, and by which transaction. */
  minedHeight: integer("mined_height"),
  minedHash: text("mined_hash"),
  minedTxid: text("mined_txid"),
  outcome: text().$type<PaymentOutcome>(),
  /** Wei that the network took. */
  feeUnits: amount("fee_units"),
  feeTransferId: transfer("fee_transfer_id"),
  /** What is odd about it: people say how it ends, and nothing else does. */
  fault: text(),
  resolutionId: uuid("resolution_id"),
  endedAt: time("ended_at"),
});

/** What two people said of a payment exception. */
export const withdrawalResolutions = pgTable("withdrawal_resolutions", {
  id: uuid().primaryKey(),
  withdrawalId: uuid("withdrawal_id")
    .notNull()
    .references(() => withdrawalPayments.withdrawalId),
  /** The transaction that was looked at. */
  txid: text().notNull(),
  says: text().$type<ResolutionSays>().notNull(),
  reason: text().notNull(),
  state: text().$type<ResolutionState>().notNull().default("open"),
  proposedBy: person("proposed_by").notNull(),
  proposedByAct: act("proposed_by_act").notNull(),
  proposedAt: time("proposed_at").notNull(),
  decidedBy: person("decided_by"),
  decidedByAct: act("decided_by_act"),
  decidedAt: time("decided_at"),
});

export const withdrawalTransactions = pgTable(
  "withdrawal_transactions",
  {
    versionId: uuid("version_id")
      .notNull()
      .references(() => withdrawalBatchVersions.id),
    withdrawalId: uuid("withdrawal_id")
      .notNull()
      .references(() => withdrawalPayments.withdrawalId),
    /** False: it takes the nonce and pays nobody. */
    pays: boolean().notNull(),
    gasLimit: bigint("gas_limit", { mode: "number" }).notNull(),
    unsigned: bytes().notNull(),
    raw: bytes(),
    /** Of the signed bytes. */
    txid: text(),
    sentAt: time("sent_at"),
    fault: text(),
  },
  (t) => [primaryKey({ columns: [t.versionId, t.withdrawalId] })],
);

export const withdrawals = pgTable("withdrawals", {
  id: uuid().primaryKey(),
  customerId: customerId(),
  requestKey: uuid("request_key").notNull(),
  asset: text().$type<Coin>().notNull(),
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
