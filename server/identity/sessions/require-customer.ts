import type { MiddlewareFunction } from "react-router";
import { appContext } from "../../app-context.ts";
import { noteUse } from "../sign-in/note-use.ts";
import { signInFirst } from "../sign-in/sign-in-first.ts";
import { sessionContext } from "../step-up/fresh-mfa.ts";
import { admitViewer } from "../viewing/admit-viewer.ts";
import { customerContext, settingsContext } from "./person-context.ts";
import { findSignedInCustomer } from "./signed-in-customer.ts";
import { turnAway } from "./signed-in-user.ts";

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
};
