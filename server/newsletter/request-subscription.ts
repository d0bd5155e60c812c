import { createHash } from "node:crypto";
import { consentVersion } from "#core/newsletter.ts";
import { oneLine } from "#core/text/plain-text.ts";
import type { Db } from "../platform/database.ts";
import { enqueue } from "../platform/jobs/jobs.ts";
import { clientNetwork, countAttempt, wholeSite } from "../platform/rate-limit.ts";
import { limits } from "./limits.ts";
import { sourceOf } from "./subscription.ts";

/**
 * Takes the wish to subscribe. Whether the address is subscribed already is looked up later, by the job
 * `newsletter/send-confirmation`, so that the answer and its time are the same for every address. What fills the field that people
 * do not see gets the same answer, and nothing happens.
 *
 * @throws Busy, TooManyAttempts
 */
export async function requestSubscription(
  db: Db,
  request: { email: string; trap: string; source: string; clientAddress: string; now: Date },
): Promise<void> {
  const { trap, clientAddress, now } = request;
  const email = oneLine(request.email).toLowerCase();
  await countAttempt(db, limits.requestsByNetwork, clientNetwork(clientAddress), now);
  if (trap !== "") return;
  await countAttempt(db, limits.requests, wholeSite, now);
  await countAttempt(db, limits.requestsByEmail, email, now);
  await enqueue(
    db,
    "newsletter/send-confirmation",
    {
      email,
      source: sourceOf(request.source),
      textVersion: consentVersion,
      askedAt: now.toISOString(),
    },
    // Pressed twice, it is asked once.
    { key: `newsletter:${createHash("sha256").update(email).digest("hex")}` },
  );
}
