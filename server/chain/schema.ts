import { integer, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import type { Network } from "#core/address.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { auditLog, customers } from "../identity/schema.ts";
import { time } from "../platform/columns.ts";

export const wallets = pgTable(
  "wallets",
  {
    id: uuid().primaryKey(),
    chain: text().$type<WalletChain>().notNull(),
    network: text().$type<Network>().notNull(),
    descriptor: text().notNull(),
    firstSeenAt: time("first_seen_at").notNull(),
    /** The derivation index that the next address gets. PostgreSQL moves it. */
    nextIndex: integer("next_index").notNull().default(0),
    comparedAt: time("compared_at"),
    comparedActionId: uuid("compared_action_id").references(() => auditLog.id),
  },
  (t) => [unique("one_wallet_per_descriptor").on(t.network, t.descriptor)],
);

export const depositAddresses = pgTable(
  "deposit_addresses",
  {
    walletId: uuid("wallet_id")
      .notNull()
      .references(() => wallets.id),
    derivationIndex: integer("derivation_index").notNull(),
    customerId: uuid("customer_id")
      .notNull()
      .references(() => customers.id),
    address: text().notNull().unique("one_customer_per_address"),
    issuedAt: time("issued_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.walletId, t.derivationIndex] }),
    unique("one_address_per_customer_and_wallet").on(t.customerId, t.walletId),
  ],
);
