import { sql } from "drizzle-orm";
import type { Tx } from "../platform/database.ts";
import type { ParsedTransaction } from "./parse-block.ts";

/** An output that pays an address of ours. */
export interface MatchedOutput {
  transaction: ParsedTransaction;
  outputIndex: number;
  address: string;
  sats: bigint;
}

/** Finds the outputs that pay our addresses, in one question, whatever the number of addresses. */
export async function matchOutputs(
  tx: Tx,
  transactions: ParsedTransaction[],
): Promise<MatchedOutput[]> {
  const scripts = new Set(
    transactions.flatMap(({ outputs }) => outputs.map((each) => each.script)),
  );
  if (scripts.size === 0) return [];
  const wanted = [...scripts].map((script) => Buffer.from(script, "hex"));
  const { rows } = await tx.execute<{ script: Buffer; address: string }>(
    sql`select script, address from chain_scripts where script = any(${sql.param(wanted)}::bytea[])`,
  );
  const ours = new Map(rows.map(({ script, address }) => [script.toString("hex"), address]));
  return transactions.flatMap((transaction) =>
    transaction.outputs.flatMap(({ outputIndex, script, sats }) => {
      const address = ours.get(script);
      // An output of nothing is no payment.
      return address && sats > 0n ? [{ transaction, outputIndex, address, sats }] : [];
    }),
  );
}
