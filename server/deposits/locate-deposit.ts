import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { findSource } from "../chain/find-source.ts";
import { findTransaction } from "../chain/find-transaction.ts";
import { SourceIncident } from "../chain/source-health.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import { countAttempt, type Limit } from "../platform/rate-limit.ts";
import { type CustomerPayment, listPaymentsOfTransaction } from "./payments/list-payments.ts";

/** Where a transaction stands for the customer who asks. */
export type Whereabouts =
  /** It paid his address, perhaps several times. */
  | { kind: "yours"; payments: CustomerPayment[] }
  /** The network knows it, and it pays none of his addresses. */
  | { kind: "elsewhere"; inBlock: boolean; chain: WalletChain; missesContracts: boolean }
  /** It is in a block, and did nothing. */
  | { kind: "failed" }
  /** The network knows it, and it is not known here yet whom it pays. */
  | { kind: "not-read-yet"; inBlock: boolean }
  /** The node does not know it, which may also be because it is old. */
  | { kind: "unknown"; tipHeight: number | null }
  /** Nobody can be asked at this moment. */
  | { kind: "unreachable"; chain: WalletChain }
  /** Nobody is asked about the chain at all. */
  | { kind: "not-watched" };

const answerWithinMs = 8_000;

/** Questions that somebody else has to answer. */
const questions: Limit = { purpose: "deposits/locate", max: 30, windowMinutes: 15 };

/**
 * Looks for a transaction: among the payments to the customer's own addresses, then in the network.
 *
 * @throws TooManyAttempts
 */
export async function locateDeposit(
  { db, config }: { db: Db; config: Pick<Config, "bitcoinChain" | "ethereumChain"> },
  { customerId, txid, now }: { customerId: string; txid: string; now: Date },
): Promise<Whereabouts> {
  const payments = await listPaymentsOfTransaction(db, customerId, txid);
  if (payments.length > 0) return { kind: "yours", payments };
  await countAttempt(db, questions, customerId, now);
  const chain = txid.startsWith("0x") ? "ethereum" : "bitcoin";
  if (!config[`${chain}Chain`]) return { kind: "not-watched" };
  try {
    const found = await findTransaction({ db, config }, chain, txid, answerWithinMs);
    if (!found) {
      return { kind: "unknown", tipHeight: (await findSource(db, chain))?.tipHeight ?? null };
    }
    const { inBlock, isRead, failed } = found;
    if (failed) return { kind: "failed" };
    if (!isRead) return { kind: "not-read-yet", inBlock };
    const missesContracts = chain === "ethereum" && config.ethereumChain?.traces === false;
    return { kind: "elsewhere", inBlock, chain, missesContracts };
  } catch (error) {
    if (error instanceof SourceIncident) return { kind: "unreachable", chain };
    throw error;
  }
}
