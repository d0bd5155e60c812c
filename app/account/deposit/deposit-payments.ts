import { appContext } from "#server/app-context.ts";
import { findDepositsVersion } from "#server/deposits/find-deposits-version.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import type { Route } from "./+types/deposit-payments";
import { readPayments } from "./read-payments.ts";

/** What the page of deposits asks for again and again while a reader looks at it. */
export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { id } = context.get(customerContext);
  const [payments, version] = await Promise.all([
    readPayments(app, id),
    findDepositsVersion(app.db, id),
  ]);
  return { payments, version };
}

/** A lost session or a lost line must not take the page away that someone fills in. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  try {
    return await serverLoader();
  } catch {
    return null;
  }
}
