import { data, type RouterContextProvider, redirect } from "react-router";
import { may } from "#core/permissions.ts";
import type { Db } from "../../platform/database.ts";
import { findCustomer } from "../account/find-customer.ts";
import { customerContext, settingsContext, viewContext } from "../sessions/person-context.ts";
import type { Session, SignedInUser } from "../sessions/signed-in-user.ts";
import { findSettings } from "../settings/change-settings.ts";
import { findActiveOperator } from "../staff/find-operator.ts";
import { sessionContext } from "../step-up/fresh-mfa.ts";
import { findOpenView } from "./list-views.ts";
import { mayBeViewed } from "./viewed-pages.ts";

/**
 * Lets an operator read a customer's page while a view is open for this very session of his; anybody else on the staff
 * is sent to the console. This is the one place where such a viewer is kept from acting: whatever is no reading of a
 * page that may be viewed is refused here, before any loader or action runs.
 */
export async function admitViewer(
  db: Db,
  {
    request,
    url,
    context,
  }: { request: Request; url: URL; context: Readonly<RouterContextProvider> },
  user: SignedInUser & { session: Session },
): Promise<void> {
  const operator = await findActiveOperator(db, user.id);
  const isPermitted = operator !== null && may(operator.role, "identity/view-as-customer");
  const view = isPermitted
    ? await findOpenView(db, { operatorId: operator.id, sessionId: user.session.id })
    : null;
  const customer = view ? await findCustomer(db, view.customerId) : null;
  if (!operator || !view || !customer) throw redirect("/operator");
  const reads = request.method === "GET" || request.method === "HEAD";
  if (!reads || !mayBeViewed(url.pathname, (permission) => may(operator.role, permission))) {
    throw data({ viewed: true }, { status: 403, statusText: "Forbidden" });
  }
  context.set(customerContext, customer);
  context.set(settingsContext, await findSettings(db, customer.id));
  context.set(viewContext, view);
  // Never fresh: what asks for a second factor again would have to ask the customer.
  const { lastUsedAt } = user.session;
  const session = { id: view.id, lastUsedAt, provedBy: "password" as const, provedAt: new Date(0) };
  context.set(sessionContext, { id: customer.id, kind: "customer", session });
}
