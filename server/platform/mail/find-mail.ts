import type { Network } from "#core/payments/address.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db } from "../database.ts";
import { mails } from "../schema.ts";
import { type ListedMail, listed } from "./list-mails.ts";

/**
 * One mail with its bodies, or null. Bodies with a link that opens something are null too: staff could sign
 * in as the customer with them. An outbox of a test network is the exception, so that the product can be
 * tried before there is a mail server; on mainnet its files are for the owner of the machine alone.
 */
export async function findMail(
  db: Db,
  id: string,
  network: Network,
): Promise<(ListedMail & { bodyText: string | null; bodyHtml: string | null }) | null> {
  const [mail] = await db
    .select({ ...listed, bodyText: mails.bodyText, bodyHtml: mails.bodyHtml })
    .from(mails)
    .where(eq(mails.id, id));
  if (!mail) return null;
  const isReadable = !mail.holdsLink || (mail.sentVia === "outbox" && network !== "mainnet");
  return isReadable ? mail : { ...mail, bodyText: null, bodyHtml: null };
}
