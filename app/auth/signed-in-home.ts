import type { RouterContextProvider } from "react-router";
import { appContext } from "#server/app-context.ts";
import { findSignedInUser } from "#server/identity/sessions/signed-in-user.ts";
import { findActiveOperator } from "#server/identity/staff/find-operator.ts";
import { nextPage } from "./next-page.ts";

/** Where someone who is signed in already belongs; null for everyone else. */
export async function signedInHome(
  request: Request,
  url: URL,
  context: Readonly<RouterContextProvider>,
): Promise<string | null> {
  const { auth, db } = context.get(appContext);
  const user = await findSignedInUser({ auth, db }, request);
  if (!user) return null;
  if (user.kind === "operator" && !(await findActiveOperator(db, user.id))) return null;
  return nextPage(url.searchParams.get("next"), user.kind);
}
