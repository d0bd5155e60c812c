import { floorOf, formatUsd } from "#core/money.ts";
import { flag, getRow, readRows, text, units } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

/** Whether a contract was ever sold. From then on a testimonial needs one. */
export async function contractsAreSold(db: Db | Tx): Promise<boolean> {
  const sold = sql`select contracts_are_sold() as sold`;
  return (await getRow(db, sold, { sold: flag })).sold;
}

/** The contract that a customer's words are shown with: of those that run the first that was bought. Null: none runs. */
export async function findActiveContract(db: Db | Tx, customerId: string): Promise<string | null> {
  const active = sql`
    select id from contracts where customer_id = ${customerId}::uuid and last_day is null order by bought_at, id limit 1`;
  const [found] = await readRows(db, active, { id: text });
  return found?.id ?? null;
}

/**
 * What a contract that runs has brought so far of every $100 paid, in words: mined less maintenance, each day at its own price. A loss is
 * told as plainly as a gain, and nobody reads how much was paid. Null: it has ended.
 */
export async function findContractResult(db: Db | Tx, contractId: string): Promise<string | null> {
  const result = sql`
    select r.usd_micros, r.usd_cents from results_of_contracts(array[${contractId}::uuid], true) r
     where exists (select from contracts c where c.id = r.contract_id and c.last_day is null)`;
  const [found] = await readRows(db, result, { usdMicros: units, usdCents: units });
  if (!found) return null;
  const cents = floorOf(found.usdMicros, found.usdCents) - 10_000n;
  const [word, amount] = cents < 0n ? ["Net loss", -cents] : ["Net result", cents];
  return `${word} so far: ${cents > 0n ? "+" : ""}${formatUsd(amount)} of every $100.00 paid`;
}
