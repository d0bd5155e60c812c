import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { enqueue, nodeQueues } from "../platform/jobs/jobs.ts";

/**
 * Has the node read the wallets again, which takes minutes on the main network: a job does it. Asked twice before the job
 * runs, it runs once.
 *
 * @throws Refusal as `actAsOperator` does
 */
export function readAgain(db: Db, operator: ActingOperator, now: Date): Promise<void> {
  const act = { act: "reconciliation/read-again" as const, subject: "wallets", detail: {}, now };
  return actAsOperator(db, operator, act, (tx) =>
    enqueue(
      tx,
      "reconciliation/read-wallets-again",
      {},
      { key: "read-wallets-again", maxAttempts: 10, queue: nodeQueues.scanBitcoin },
    ),
  );
}
