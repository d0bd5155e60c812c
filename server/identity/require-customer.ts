import type { MiddlewareFunction } from "react-router";
import { appContext } from "../app-context.ts";
import { admitViewer } from "./admit-viewer.ts";
import { sessionContext } from "./fresh-factor.ts";
import { noteUse } from "./note-use.ts";
import { customerContext } from "./person-context.ts";
import { findCustomer } from "./queries.ts";
import { signInFirst } from "./sign-in-first.ts";
import { findSignedInUser, turnAway } from "./signed-in-user.ts";

/**
 * Lets customers pass. A stranger is sent to sign in and comes back; staff are sent to their console, unless they may
 * look at this page as a customer sees it.
 */
export const requireCustomer: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  const app = context.get(appContext);
  const user = await findSignedInUser(app, request);
  if (!user) throw await signInFirst(app, request, url);
  if (user.kind === "operator") return admitViewer(app.db, { request, url, context }, user);
  const customer = await findCustomer(app.db, user.id);
  if (!customer) throw turnAway();
  context.set(customerContext, customer);
  await noteUse(app, request, user.session);
  context.set(sessionContext, user);
};
