import { data, type MiddlewareFunction } from "react-router";
import { siteLocalePreferences } from "#core/people/locale-preferences.ts";
import { and, eq, sql } from "#server/platform/sql.ts";
import { type App, appContext } from "../../app-context.ts";
import { prepared } from "../../platform/database/prepared.ts";
import type { Db } from "../../platform/database.ts";
import { countAttempts, type Limit, TooManyAttempts } from "../../platform/rate-limit.ts";
import type { Customer } from "../account/customer.ts";
import { isOpen } from "../account/is-open.ts";
import { hashToken } from "../registration/issue-link.ts";
import { customerSettings, customers, sessions, users } from "../schema.ts";
import type { Settings } from "../settings/settings.ts";
import { noteUse } from "../sign-in/note-use.ts";
import { signInFirst } from "../sign-in/sign-in-first.ts";
import { sessionContext } from "../step-up/fresh-mfa.ts";
import { noteOpened } from "../step-up/opened-lately.ts";
import { admitViewer } from "../viewing/admit-viewer.ts";
import type { Auth } from "./auth.ts";
import { customerContext, settingsContext } from "./person-context.ts";
import { readToken } from "./session-cookie.ts";
import { type Session, type SignedInUser, turnAway } from "./signed-in-user.ts";

/**
 * Nobody fills in so many forms. What has no limit of its own, a name, a setting or a link to a receipt, writes a row each time, which
 * stays as long as the account. Of a session: who holds another one keeps its owner from nothing.
 */
const formsAnHour: Limit = { purpose: "account/forms-an-hour", max: 1_000, windowMinutes: 60 };
const formsADay: Limit = { purpose: "account/forms-a-day", max: 3_000, windowMinutes: 24 * 60 };

/**
 * Lets customers pass. A stranger is sent to sign in and comes back; staff are sent to their console, unless they may
 * look at this page as a customer sees it.
 */
export const requireCustomer: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  const app = context.get(appContext);
  const arrived = await findSignedInCustomer(app, request);
  if (!arrived) throw await signInFirst(app, request, url);
  const { user, customer, settings } = arrived;
  if (user.kind === "operator") return admitViewer(app.db, { request, url, context }, user);
  if (!customer) throw turnAway();
  context.set(customerContext, customer);
  context.set(settingsContext, settings);
  await noteUse(app, request, user.session);
  context.set(sessionContext, user);
  if (request.method === "POST") await countForm(app, user.session.id);
};

async function countForm({ db, now }: App, sessionId: string): Promise<void> {
  const counted = [formsAnHour, formsADay].map((limit) => [limit, sessionId] as const);
  try {
    await countAttempts(db, counted, now());
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error;
    throw data(null, { status: 429, statusText: "Too Many Requests" });
  }
}

interface Arrived {
  user: SignedInUser & { session: Session };
  /** Null: somebody else than a customer. */
  customer: Customer | null;
  settings: Settings;
}

/** The sender of the request, with a customer's settings: one query, because every page of the account needs it. */
async function findSignedInCustomer(
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
