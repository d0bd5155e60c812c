import type { MiddlewareFunction } from "react-router";
import { appContext, requestContext } from "../app-context.ts";
import { sessionContext } from "./fresh-factor.ts";
import { operatorContext } from "./person-context.ts";
import { findActiveOperator } from "./queries.ts";
import { findSignedInUser, signInFirst, turnAway } from "./signed-in-user.ts";

/**
 * Lets active operators pass. The database is asked on every request, so somebody suspended a moment ago
 * is turned away.
 */
export const requireStaff: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  const app = context.get(appContext);
  const user = await findSignedInUser(app, request);
  if (!user) throw signInFirst(url);
  const operator = user.kind === "operator" ? await findActiveOperator(app.db, user.id) : null;
  if (!operator) throw turnAway();
  context.set(sessionContext, user);
  const { requestId } = context.get(requestContext);
  context.set(operatorContext, { ...operator, requestId, provedAt: user.session.provedAt });
};
