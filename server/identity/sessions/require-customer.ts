import { data, type MiddlewareFunction } from "react-router";
import { type App, appContext } from "../../app-context.ts";
import { countAttempts, type Limit, TooManyAttempts } from "../../platform/rate-limit.ts";
import { noteUse } from "../sign-in/note-use.ts";
import { signInFirst } from "../sign-in/sign-in-first.ts";
import { sessionContext } from "../step-up/fresh-mfa.ts";
import { admitViewer } from "../viewing/admit-viewer.ts";
import { customerContext, settingsContext } from "./person-context.ts";
import { findSignedInCustomer } from "./signed-in-customer.ts";
import { turnAway } from "./signed-in-user.ts";

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
