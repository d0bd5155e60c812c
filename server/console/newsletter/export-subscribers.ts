import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { listConfirmed } from "#server/newsletter/list-subscriptions.ts";
import { leavingUrl } from "#server/newsletter/subscription.ts";
import type { Db } from "#server/platform/database.ts";
import { toCsv } from "#server/platform/to-csv.ts";

/** More than one file should hold. */
const exportLimit = 200_000;

/** Takes the confirmed subscribers away as CSV, with what they agreed to and when, and writes down that this was done. */
export function exportSubscribers(
  db: Db,
  operator: ActingOperator,
  { appUrl, now }: { appUrl: string; now: Date },
): Promise<string> {
  return db.transaction(async (tx) => {
    const rows = await listConfirmed(tx, exportLimit);
    const exported = {
      act: "console/export-subscribers" as const,
      subject: "newsletter-subscribers",
      detail: { subscribers: rows.length },
      now,
    };
    return actAsOperator(tx, operator, exported, async () =>
      toCsv(
        columns,
        rows.map((row) => [
          row.email ?? "",
          row.confirmedAt?.toISOString() ?? "",
          row.askedAt.toISOString(),
          row.source,
          String(row.textVersion),
          leavingUrl(appUrl, row.leavingToken),
        ]),
      ),
    );
  });
}

const columns = [
  "e-mail",
  "confirmed (UTC)",
  "asked (UTC)",
  "page",
  "version of the consent",
  // For the link and the List-Unsubscribe header of each issue (RFC 8058).
  "unsubscribe",
];
