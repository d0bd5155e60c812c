import { type MiddlewareFunction, redirect } from "react-router";
import { appContext } from "../app-context.ts";
import { sessionContext } from "./fresh-factor.ts";
import { customerContext } from "./person-context.ts";
import { findCustomer } from "./queries.ts";
import { findSignedInUser, signInFirst, turnAway } from "./signed-in-user.ts";

/** Lets customers pass. A stranger is sent to sign in and comes back; staff are sent to their console. */
export const requireCustomer: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  const app = context.get(appContext);
  const user = await findSignedInUser(app, request);
  if (!user) throw signInFirst(url);
  if (user.kind === "operator") throw redirect("/operator");
  const customer = await findCustomer(app.db, user.id);
  if (!customer) throw turnAway();
  context.set(customerContext, customer);
  context.set(sessionContext, user);
};
