import type { MiddlewareFunction } from "react-router";
import { appContext } from "../app-context.ts";
import { admitViewer } from "./admit-viewer.ts";
import { sessionContext } from "./fresh-factor.ts";
import { customerContext } from "./person-context.ts";
import { findCustomer } from "./queries.ts";
import { findSignedInUser, signInFirst, turnAway } from "./signed-in-user.ts";

/**
 * Lets customers pass. A stranger is sent to sign in and comes back; staff are sent to their console, unless they may
 * look at this page as a customer sees it.
 */
export const requireCustomer: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  const app = context.get(appContext);
  const user = await findSignedInUser(app, request);
  if (!user) throw signInFirst(url);
  if (user.kind === "operator") return admitViewer(app.db, { request, url, context }, user);
  const customer = await findCustomer(app.db, user.id);
  if (!customer) throw turnAway();
  context.set(customerContext, customer);
  context.set(sessionContext, user);
};
