import { type MessageTopic, messageTopics } from "#core/contact.ts";
import { amountInWords, formatUsd } from "#core/money.ts";
import { formatDay } from "#core/utc-day.ts";
import { findContract } from "#server/contracts/find-contract.ts";
import { findDeposit } from "#server/deposits/find-deposit.ts";
import type { Db } from "#server/platform/database.ts";
import { findWithdrawal } from "#server/withdrawals/find-withdrawal.ts";

/** A customer's own case that a message is about. */
export interface About {
  /** As addresses and threads hold it: "deposit:<id>". */
  value: string;
  /** "Bitcoin deposit of $640.00, 12 Oct 2026" */
  words: string;
  path: string;
}

/** What an address names as the case that a message is about; null when it names none of this customer's. */
export async function readAbout(
  db: Db,
  customerId: string,
  value: string | null | undefined,
): Promise<About | null> {
  // PostgreSQL finds an id in capitals too; kept are small letters.
  const [named = "", id = ""] = (value ?? "").toLowerCase().split(":");
  const topic = messageTopics.find((each) => each === named);
  if (!topic) return null;
  const words = await find[topic](db, customerId, id);
  return words === null ? null : { value: `${topic}:${id}`, words, path: `${paths[topic]}/${id}` };
}

const paths: Record<MessageTopic, string> = {
  deposit: "/account/deposit",
  contract: "/account/mining",
  withdrawal: "/account/withdraw",
};

type Find = (db: Db, customerId: string, id: string) => Promise<string | null>;
const dayOf = (at: Date) => formatDay(at.toISOString());

const find: Record<MessageTopic, Find> = {
  async deposit(db, customerId, id) {
    const deposit = await findDeposit(db, customerId, id);
    if (!deposit) return null;
    const { method, usdCents, declaredOn } = deposit;
    const of = usdCents === null ? "" : ` of ${formatUsd(usdCents)}`;
    return `${method} deposit${of}, ${formatDay(declaredOn)}`;
  },
  async contract(db, customerId, id) {
    const contract = await findContract(db, customerId, id);
    if (!contract) return null;
    return `Contract ${contract.quantity} × ${contract.planName}, bought ${dayOf(contract.boughtAt)}`;
  },
  async withdrawal(db, customerId, withdrawalId) {
    const withdrawal = await findWithdrawal(db, { withdrawalId, customerId });
    if (!withdrawal) return null;
    const { units, asset, requestedAt } = withdrawal;
    return `Withdrawal of ${amountInWords(units, asset)}, ${dayOf(requestedAt)}`;
  },
};
