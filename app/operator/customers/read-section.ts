import type { RouterContextProvider } from "react-router";
import type { Db } from "#server/platform/database.ts";
import { consoleOf } from "../parts/route.ts";
import { type CustomerHeader, readCustomerHeader } from "./read-customer-header.ts";

/** What every section of a customer's page begins with. */
export interface SectionReading {
  /** The customer's. */
  id: string;
  frame: CustomerHeader;
  db: Db;
  /** The moment at which all of the page is true. */
  at: Date;
}

/** Reads the frame and hands on what the section reads the rest with. */
export async function readSection(
  context: Readonly<RouterContextProvider>,
  id: string,
): Promise<SectionReading> {
  const { db, now, operator } = consoleOf(context);
  const at = now();
  return { id, frame: await readCustomerHeader(db, id, { role: operator.role, now: at }), db, at };
}
