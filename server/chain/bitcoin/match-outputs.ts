import type { Db, Tx } from "../../platform/database.ts";
import type { FoundPayment } from "../chain-reader.ts";
import { findScripts } from "../find-scripts.ts";
import { listSpent, type ParsedTransaction } from "./parse-block.ts";

/** Finds the outputs that pay our addresses, in one question, whatever the number of addresses. */
export async function matchOutputs(
  db: Db | Tx,
  transactions: ParsedTransaction[],
): Promise<FoundPayment[]> {
  const scripts = transactions.flatMap(({ outputs }) => outputs.map((each) => each.script));
  const ours = await findScripts(db, scripts);
  return transactions.flatMap(({ txid, raw, coinbase, outputs }) =>
    outputs.flatMap(({ outputIndex, script, sats: units }) => {
      const address = ours.get(script);
      // An output of nothing is no payment.
      return address && units > 0n
        ? [
            {
              txid,
              outputIndex,
              asset: "BTC" as const,
              address,
              units,
              coinbase,
              raw,
              spends: listSpent(raw),
            },
          ]
        : [];
    }),
  );
}
