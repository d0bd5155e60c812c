import { formatUsd } from "#core/money.ts";
import { formatDay, utcDay } from "#core/utc-day.ts";
import { listDeposits } from "#server/deposits/list-deposits.ts";
import { listOpenContracts } from "#server/mining/contracts/list-open-contracts.ts";
import type { Db } from "#server/platform/database.ts";
import { listWithdrawalsOf } from "#server/withdrawals/list-withdrawals.ts";

/** What a customer can write about, by its number. */
export interface Case {
  /** As in the address `/account/messages/new?about=deposit:…`. */
  key: string;
  label: string;
}

const most = 5;

/** A customer's newest deposits, withdrawals and contracts. */
export async function listCases(db: Db, customerId: string, now: Date): Promise<Case[]> {
  const today = utcDay(now);
  const [{ deposits }, withdrawals, contracts] = await Promise.all([
    listDeposits(db, customerId, { show: most }),
    listWithdrawalsOf(db, customerId, most),
    listOpenContracts(db, [customerId], today),
  ]);
  const dayOf = (at: Date) => formatDay(utcDay(at));
  return [
    ...deposits.map(({ depositId, usdCents, createdAt }) => ({
      key: `deposit:${depositId}`,
      label: `Deposit${usdCents === null ? "" : ` of ${formatUsd(usdCents)}`}, ${dayOf(createdAt)}`,
    })),
    ...withdrawals.map(({ id, asset, requestedAt }) => ({
      key: `withdrawal:${id}`,
      label: `Withdrawal of ${asset}, ${dayOf(requestedAt)}`,
    })),
    ...contracts.slice(0, most).map(({ contractId, quantity, planName, startsOn }) => ({
      key: `contract:${contractId}`,
      label: `Contract ${quantity} × ${planName}, from ${formatDay(startsOn)}`,
    })),
  ];
}
