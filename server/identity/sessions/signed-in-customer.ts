import { siteLocalePreferences } from "#core/people/locale-preferences.ts";
import { and, eq, sql } from "#server/platform/sql.ts";
import { prepared } from "../../platform/database/prepared.ts";
import type { Db } from "../../platform/database.ts";
import type { Customer } from "../account/customer.ts";
import { isOpen } from "../account/is-open.ts";
import { hashToken } from "../registration/issue-link.ts";
import { customerSettings, customers, sessions, users } from "../schema.ts";
import type { Settings } from "../settings/settings.ts";
import { noteOpened } from "../step-up/opened-lately.ts";
import type { Auth } from "./auth.ts";
import { readToken } from "./session-cookie.ts";
import type { Session, SignedInUser } from "./signed-in-user.ts";

export interface Arrived {
  user: SignedInUser & { session: Session };
  /** Null: somebody else than a customer. */
  customer: Customer | null;
  settings: Settings;
}

/** The sender of the request, with a customer's settings: one query, because every page of the account needs it. */
export async function findSignedInCustomer(
  { auth, db }: { auth: Auth; db: Db },
  request: Request,
): Promise<Arrived | null> {
  const token = readToken(auth, "session_token", request.headers.get("cookie") ?? "");
  if (!token) return null;
  const hash = hashToken(token);
  const [found] = await selectArrived(db, { hash });
  noteOpened(hash, found !== undefined);
  if (!found) return null;
  const { user, session, person, createdAt, settings } = found;
  return {
    user: { ...user, session },
    customer: createdAt && { id: user.id, ...person, createdAt },
    settings: settings ?? { phone: null, ...siteLocalePreferences },
  };
}

const selectArrived = prepared((db) =>
  db
    .select({
      user: { id: users.id, kind: users.kind },
      session: {
        id: sessions.id,
        provedBy: sessions.provedBy,
        provedAt: sessions.provedAt,
        lastUsedAt: sessions.lastUsedAt,
      },
      person: {
        email: users.email,
        firstName: users.firstName,
        lastName: users.lastName,
        emailVerified: users.emailVerified,
      },
      createdAt: customers.createdAt,
      // What always has a value comes first: by it Drizzle tells whether there is a row at all.
      settings: {
        currency: customerSettings.displayCurrency,
        phone: customerSettings.phone,
        locale: customerSettings.locale,
        timeZone: customerSettings.timeZone,
      },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(customers, eq(customers.id, users.id))
    .leftJoin(customerSettings, eq(customerSettings.customerId, customers.id))
    .where(and(eq(sessions.tokenSha256, sql.placeholder("hash")), isOpen(sql`now()`)))
    .prepare("identity_customer_session"),
);
