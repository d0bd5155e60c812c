import type { RouterContextProvider } from "react-router";
import type { FlagKind } from "#core/people/customer-flags.ts";
import { may } from "#core/permissions.ts";
import { appContext } from "#server/app-context.ts";
import { operatorContext } from "#server/identity/sessions/person-context.ts";
import {
  listKindsOfFlags,
  listStandingFlags,
  type StandingFlag,
} from "#server/staff-notes/list-flags.ts";

/** What colleagues flagged about a customer, for who may read it. Nobody, such as a stranger who wrote, has none. */
export async function readFlags(
  context: Readonly<RouterContextProvider>,
  customerId: string | null,
): Promise<StandingFlag[]> {
  if (customerId === null || !mayRead(context)) return [];
  const { db, now } = context.get(appContext);
  return listStandingFlags(db, customerId, now());
}

/** The same for the rows of a list: kinds alone. */
export async function readRowFlags(
  context: Readonly<RouterContextProvider>,
  customerIds: Array<string | null>,
): Promise<Record<string, FlagKind[]>> {
  if (!mayRead(context)) return {};
  const { db, now } = context.get(appContext);
  const known = new Set(customerIds.filter((id) => id !== null));
  return listKindsOfFlags(db, [...known], now());
}

function mayRead(context: Readonly<RouterContextProvider>): boolean {
  return may(context.get(operatorContext).role, "staff-notes/read");
}
