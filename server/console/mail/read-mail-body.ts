import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import type { Db } from "#server/platform/database.ts";
import type { findMail } from "#server/platform/mail/find-mail.ts";

type Mail = NonNullable<Awaited<ReturnType<typeof findMail>>>;

/**
 * Shows an operator what a mail says, and writes down that it was read. Only for a product without a mail server, where
 * this is the one way for a link to reach its reader: the page decides that.
 */
export function readMailBody(
  db: Db,
  operator: ActingOperator,
  mail: Mail,
  customerId: string | null,
  now: Date,
): Promise<{ text: string; html: string }> {
  const read = {
    act: "mail/read" as const,
    subject: `mail:${mail.id}`,
    ...(customerId && { customerId }),
    detail: { template: mail.template },
    now,
  };
  const body = { text: mail.bodyText ?? "", html: mail.bodyHtml ?? "" };
  return actAsOperator(db, operator, read, async () => body);
}
