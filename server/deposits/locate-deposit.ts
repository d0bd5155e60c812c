import { openSource } from "../chain/open-source.ts";
import { findSource } from "../chain/queries.ts";
import { SourceTrouble } from "../chain/source-condition.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import { countAttempt, type Limit } from "../platform/rate-limit.ts";
import { type CustomerPayment, listPaymentsOfTransaction } from "./queries.ts";

/** Where a transaction stands for the customer who asks. */
export type Whereabouts =
  /** It paid his address, perhaps several times. */
  | { kind: "yours"; payments: CustomerPayment[] }
  /** The network knows it, and it pays none of his addresses. */
  | { kind: "elsewhere"; inBlock: boolean }
  /** The node does not know it, which may also be because it is old. */
  | { kind: "unknown"; tipHeight: number | null }
  /** Nobody can be asked at this moment. */
  | { kind: "unreachable" }
  /** Nobody is asked about the chain at all. */
  | { kind: "not-watched" };

const answerWithinMs = 8_000;

/** Questions that somebody else has to answer. */
const questions: Limit = { purpose: "deposits/locate", max: 30, windowMinutes: 15 };

/**
 * Looks for a Bitcoin transaction: among the payments to the customer's own addresses, then in the network.
 *
 * @throws TooManyAttempts
 */
export async function locateDeposit(
  { db, config }: { db: Db; config: Pick<Config, "bitcoinChain"> },
  { customerId, txid, now }: { customerId: string; txid: string; now: Date },
): Promise<Whereabouts> {
  const payments = await listPaymentsOfTransaction(db, customerId, txid);
  if (payments.length > 0) return { kind: "yours", payments };
  await countAttempt(db, questions, customerId, now);
  const source = openSource(config, AbortSignal.timeout(answerWithinMs));
  if (!source) return { kind: "not-watched" };
  try {
    const found = await source.findTransaction(txid);
    if (found) return { kind: "elsewhere", ...found };
    return { kind: "unknown", tipHeight: (await findSource(db))?.tipHeight ?? null };
  } catch (error) {
    if (error instanceof SourceTrouble) return { kind: "unreachable" };
    throw error;
  }
}
