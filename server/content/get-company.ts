import type { Db, Tx } from "../platform/database.ts";
import { type Company, emptyCompany } from "./content.ts";
import { listLive } from "./list-live.ts";

/** The operator's company as published. What is not known is an empty text, and not shown. */
export async function getCompany(db: Db | Tx): Promise<Company> {
  const [company] = await listLive(db, "company");
  return { ...emptyCompany, ...(company?.body as Partial<Company> | undefined) };
}
