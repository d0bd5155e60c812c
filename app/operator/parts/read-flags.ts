import type { RouterContextProvider } from "react-router";
import type { FlagKind } from "#core/people/customer-flags.ts";
import { may } from "#core/permissions.ts";
import {
  listKindsOfFlags,
  listStandingFlags,
  type StandingFlag,
} from "#server/staff-notes/list-flags.ts";
import { consoleOf } from "./route.ts";

/** What colleagues flagged about a customer, for who may read it. Nobody, such as a stranger who wrote, has none. */
export async function readFlags(
  context: Readonly<RouterContextProvider>,
  customerId: string | null,
): Promise<StandingFlag[]> {
  if (customerId === null || !mayRead(context)) return [];
  const { db, now } = consoleOf(context);
  return listStandingFlags(db, customerId, now());
}

/** The same for the rows of a list: kinds alone. */
export async function readRowFlags(
  context: Readonly<RouterContextProvider>,
  customerIds: Array<string | null>,
): Promise<Record<string, FlagKind[]>> {
  if (!mayRead(context)) return {};
  const { db, now } = consoleOf(context);
  const known = new Set(customerIds.filter((id) => id !== null));
  return listKindsOfFlags(db, [...known], now());
}

function mayRead(context: Readonly<RouterContextProvider>): boolean {
  const { operator } = consoleOf(context);
  return may(operator.role, "staff-notes/read");
}
