import type { Tx } from "../platform/database.ts";
import { countAttempts, type Limit } from "../platform/rate-limit.ts";

const often = (purpose: string): Limit[] => [
  { purpose: `${purpose}/hour`, max: 20, windowMinutes: 60 },
  { purpose: `${purpose}/day`, max: 60, windowMinutes: 1440 },
];
const limits = {
  requests: often("withdrawals/request"),
  addresses: often("withdrawals/add-address"),
};

/**
 * Counts a customer's request, or a new address, in its own transaction: what is refused for another reason counts for nothing. Each
 * request writes for ever, and so does taking it back, which is never refused: there are no more of those than requests.
 *
 * @throws TooManyAttempts
 */
export function countRequest(
  tx: Tx,
  what: keyof typeof limits,
  customerId: string,
  now: Date,
): Promise<void> {
  return countAttempts(
    tx,
    limits[what].map((limit) => [limit, customerId] as const),
    now,
  );
}
