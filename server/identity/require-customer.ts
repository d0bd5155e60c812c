import type { MiddlewareFunction } from "react-router";
import { appContext } from "../app-context.ts";
import { customerContext } from "./person-context.ts";
import { findCustomer } from "./queries.ts";
import { findSignedInUser, signInFirst, turnAway } from "./signed-in-user.ts";

/** Lets customers pass. A stranger is sent to sign in and comes back; staff are told that this is not theirs. */
export const requireCustomer: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  const app = context.get(appContext);
  const user = await findSignedInUser(app, request);
  if (!user) throw signInFirst(url);
  const customer = user.kind === "customer" ? await findCustomer(app.db, user.id) : null;
  if (!customer) throw turnAway();
  context.set(customerContext, customer);
};
