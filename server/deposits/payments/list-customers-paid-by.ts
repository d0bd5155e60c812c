import { and, asc, desc, eq, inArray, sql } from "#server/platform/sql.ts";
import { chainPayments } from "../../chain/schema.ts";
import { users } from "../../identity/schema.ts";
import type { Db } from "../../platform/database.ts";
import { people } from "../select-deposits.ts";

const p = chainPayments;

/** What a transaction paid to customers, as far as two people did not say that it was the operator's. */
export function listCustomersPaidBy(db: Db, txid: string) {
  return db
    .select({ paymentId: p.id, asset: p.asset, units: p.units, settledAt: p.settledAt, ...people })
    .from(p)
    .innerJoin(users, eq(users.id, p.customerId))
    .where(
      and(
        inArray(p.chain, ["bitcoin", "ethereum"]),
        eq(p.txid, txid),
        inArray(p.state, ["seen", "mined"]),
        sql`${p.resolvedAs} is distinct from 'operators'`,
      ),
    )
    .orderBy(desc(p.units), asc(p.outputIndex))
    .limit(20);
}

export type PaidCustomer = Awaited<ReturnType<typeof listCustomersPaidBy>>[number];
