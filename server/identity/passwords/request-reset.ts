import type { Db } from "../../platform/database.ts";
import { clientNetwork, countAttempts } from "../../platform/rate-limit.ts";
import { type Effort, ofWholeSite } from "../sign-in/effort.ts";
import { limits } from "../sign-in/limits.ts";
import { sendResetLinkLater } from "./send-reset-link.ts";

/**
 * Takes the wish for a reset link. Whether the address has an account is not looked at here.
 *
 * @throws Busy, TooManyAttempts
 */
export async function requestReset(
  db: Db,
  request: { email: string; clientAddress: string; effort?: Effort; now: Date },
): Promise<void> {
  const { email, clientAddress, effort = "none", now } = request;
  const counted = [
    [limits.resetByNetwork, clientNetwork(clientAddress)] as const,
    ...ofWholeSite("reset", clientAddress, effort),
    [limits.resetByAccount, email.toLowerCase()] as const,
    [limits.resetByAccountADay, email.toLowerCase()] as const,
  ];
  await countAttempts(db, counted, now);
  await sendResetLinkLater(db, email);
}
