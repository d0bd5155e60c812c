import { siteLocalePreferences } from "#core/people/locale-preferences.ts";
import { Refusal } from "#core/refusal.ts";
import { eq, sql } from "#server/platform/sql.ts";
import { prepared } from "../../platform/database/prepared.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { recordAccountEvent } from "../account/account-events.ts";
import { customerSettings, customers } from "../schema.ts";
import { type Browser, markOf, type Settings } from "./settings.ts";

/** A part of the settings that is saved by itself, as the history of the account calls its change. */
type Part = "phone-changed" | "reading-changed" | "display-currency-changed";

/**
 * Saves a part of a customer's settings. Saving what stands there changes nothing.
 *
 * @throws Refusal `identity/changed-meanwhile` when `seen` is not the mark of these values as they stand there now.
 */
export async function changeSettings(
  db: Db,
  change: {
    customerId: string;
    part: Part;
    values: Partial<Settings>;
    seen: string;
    browser: Browser;
    now: Date;
  },
): Promise<void> {
  const { customerId, part, values, browser, now } = change;
  await db.transaction(async (tx) => {
    await tx
      .select({ id: customers.id })
      .from(customers)
      .where(eq(customers.id, customerId))
      .for("update");
    const settings = await findSettings(tx, customerId);
    const names = Object.keys(values) as Array<keyof Settings>;
    const current = Object.fromEntries(names.map((name) => [name, settings[name]]));
    if (names.every((name) => settings[name] === values[name])) return;
    if (markOf(current) !== change.seen) throw new Refusal("identity/changed-meanwhile");
    const { currency, ...rest } = { ...settings, ...values };
    const row = { ...rest, displayCurrency: currency, changedAt: now };
    await tx
      .insert(customerSettings)
      .values({ customerId, ...row })
      .onConflictDoUpdate({ target: customerSettings.customerId, set: row });
    await recordAccountEvent(tx, {
      userId: customerId,
      event: part,
      by: "self",
      ...browser,
      now,
    });
  });
}

/** A customer's choices, and the site's defaults for the rest. */
export async function findSettings(db: Db | Tx, customerId: string): Promise<Settings> {
  const [row] = await selectSettings(db, { customerId });
  return row ?? { phone: null, ...siteLocalePreferences };
}

const selectSettings = prepared((db) =>
  db
    .select({
      phone: customerSettings.phone,
      locale: customerSettings.locale,
      timeZone: customerSettings.timeZone,
      currency: customerSettings.displayCurrency,
    })
    .from(customerSettings)
    .where(eq(customerSettings.customerId, sql.placeholder("customerId")))
    .prepare("identity_settings"),
);
