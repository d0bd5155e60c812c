import type { MiddlewareFunction } from "react-router";
import { appContext, requestContext } from "../../app-context.ts";
import { noteUse } from "../sign-in/note-use.ts";
import { signInFirst } from "../sign-in/sign-in-first.ts";
import { findActiveOperator } from "../staff/find-operator.ts";
import { isFreshSession, sessionContext } from "../step-up/fresh-mfa.ts";
import { operatorContext } from "./person-context.ts";
import { findSignedInUser, turnAway } from "./signed-in-user.ts";

/**
 * Lets active operators pass. The database is asked on every request, so somebody suspended a moment ago
 * is turned away.
 */
export const requireStaff: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  const app = context.get(appContext);
  const user = await findSignedInUser(app, request);
  if (!user) throw await signInFirst(app, request, url);
  const operator = user.kind === "operator" ? await findActiveOperator(app.db, user.id) : null;
  if (!operator) throw turnAway();
  await noteUse(app, request, user.session);
  context.set(sessionContext, user);
  const { requestId } = context.get(requestContext);
  // Acts take his word for when it was: what is not fresh now was never proved.
  const provedAt = isFreshSession(user.session, app.now()) ? user.session.provedAt : new Date(0);
  context.set(operatorContext, { ...operator, requestId, provedAt });
};
