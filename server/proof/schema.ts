// Written by tests/row-types.test.ts. To change it, change the tables in database/.
import { amount, bytes, time } from "#server/platform/columns.ts";
import { bigint, date, integer, jsonb, pgTable, smallint, text, uuid } from "#server/platform/tables.ts";

export const proofDays = pgTable("proof_days", {
  day: date("day").notNull(),
  previousDigest: bytes("previous_digest").notNull(),
  sealNumber: bigint("seal_number", { mode: "bigint" }),
  sealHash: bytes("seal_hash"),
  auditLink: bigint("audit_link", { mode: "bigint" }),
  auditHash: bytes("audit_hash"),
  digest: bytes("digest").notNull(),
  publishedAt: time("published_at").notNull(),
  root: bytes("root"),
  leaves: integer("leaves"),
  owedBtc: amount("owed_btc"),
  owedEth: amount("owed_eth"),
  owedUsdt: amount("owed_usdt"),
  blockHeight: integer("block_height"),
  blockHash: text("block_hash"),
});

export const proofNodes = pgTable("proof_nodes", {
  day: date("day").notNull(),
  height: smallint("height").notNull(),
  place: integer("place").notNull(),
  hash: bytes("hash").notNull(),
  btc: amount("btc").notNull(),
  eth: amount("eth").notNull(),
  usdt: amount("usdt").notNull(),
});

export const proofLeaves = pgTable("proof_leaves", {
  day: date("day").notNull(),
  customerId: uuid("customer_id").notNull(),
  place: integer("place").notNull(),
  nonce: uuid("nonce").notNull(),
  btcBalance: amount("btc_balance").notNull(),
  btcPrepaid: amount("btc_prepaid").notNull(),
  ethBalance: amount("eth_balance").notNull(),
  ethPrepaid: amount("eth_prepaid").notNull(),
  usdtBalance: amount("usdt_balance").notNull(),
  usdtPrepaid: amount("usdt_prepaid").notNull(),
  entryCounts: jsonb("entry_counts").$type<Record<string, number>>().notNull(),
});
