import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { countConfirmed, listSubscriptions } from "#server/newsletter/list-subscriptions.ts";
import type { Db } from "#server/platform/database.ts";
import { toCsv } from "#server/platform/to-csv.ts";

/** More than one file should hold. */
const exportLimit = 200_000;

/** Takes the confirmed subscribers away as CSV, with what they agreed to and when, and writes down that this was done. */
export function exportSubscribers(db: Db, operator: ActingOperator, now: Date): Promise<string> {
  return db.transaction(async (tx) => {
    const exported = {
      act: "console/export-subscribers" as const,
      subject: "newsletter-subscribers",
      detail: { subscribers: await countConfirmed(tx) },
      now,
    };
    return actAsOperator(tx, operator, exported, async (inner) => {
      const rows = await listSubscriptions(inner, { state: "confirmed", limit: exportLimit });
      return toCsv(
        columns,
        rows.map((row) => [
          row.email ?? "",
          row.confirmedAt?.toISOString() ?? "",
          row.askedAt.toISOString(),
          row.source,
          String(row.textVersion),
        ]),
      );
    });
  });
}

const columns = ["e-mail", "confirmed (UTC)", "asked (UTC)", "page", "version of the consent"];
