import type { Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { verificationMail } from "../mails.ts";
import { issueLink } from "./issue-link.ts";

/** Mails a customer a new link that verifies their address. Older ones end. */
export async function sendVerificationLink(
  tx: Tx,
  to: { userId: string; email: string; firstName: string; site: Site; now: Date },
): Promise<void> {
  const { userId, email, firstName, site, now } = to;
  const { url } = await issueLink(tx, {
    userId,
    email,
    purpose: "verify-email",
    appUrl: site.appUrl,
    now,
  });
  await queueMail(tx, {
    countedElsewhere: true,
    to: email,
    userId,
    now,
    content: verificationMail(site, { firstName, url }),
  });
}
