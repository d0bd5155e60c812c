import { type MiddlewareFunction, redirect } from "react-router";
import { appContext } from "../app-context.ts";
import { sessionContext } from "./fresh-factor.ts";
import { customerContext, settingsContext } from "./person-context.ts";
import { findSignedInCustomer } from "./signed-in-customer.ts";
import { signInFirst, turnAway } from "./signed-in-user.ts";

/** Lets customers pass. A stranger is sent to sign in and comes back; staff are sent to their console. */
export const requireCustomer: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  const arrived = await findSignedInCustomer(context.get(appContext), request);
  if (!arrived) throw signInFirst(url);
  const { user, customer, settings } = arrived;
  if (user.kind === "operator") throw redirect("/operator");
  if (!customer) throw turnAway();
  context.set(customerContext, customer);
  context.set(settingsContext, settings);
  context.set(sessionContext, user);
};
