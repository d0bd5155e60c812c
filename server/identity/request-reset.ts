import type { Db } from "../platform/database.ts";
import { countAttempt, placeOf } from "../platform/rate-limit.ts";
import { limits } from "./limits.ts";
import { sendResetLinkLater } from "./send-reset-link.ts";

/**
 * Takes the wish for a reset link. Whether the address has an account is not looked at here.
 *
 * @throws TooManyAttempts
 */
export async function requestReset(
  db: Db,
  request: { email: string; clientAddress: string; now: Date },
): Promise<void> {
  const { email, clientAddress, now } = request;
  await countAttempt(db, limits.resetByPlace, placeOf(clientAddress), now);
  await countAttempt(db, limits.resetByAccount, email.toLowerCase(), now);
  await sendResetLinkLater(db, email);
}
