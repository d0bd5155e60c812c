import { countryName, isServed } from "#core/people/countries.ts";
import { desc, eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { residenceStatements } from "./schema.ts";

export interface Residence {
  country: string;
  name: string;
  statedAt: Date;
  /** Whether people who live there may use the service. */
  served: boolean;
}

/** The country that a customer declared last; null before the first declaration. */
export async function findResidence(db: Db | Tx, customerId: string): Promise<Residence | null> {
  const [newest] = await listResidences(db, customerId, 1);
  return newest ?? null;
}

/** The countries that a customer declared, newest first. */
export async function listResidences(
  db: Db | Tx,
  customerId: string,
  limit: number,
): Promise<Residence[]> {
  const rows = await db
    .select({ country: residenceStatements.country, statedAt: residenceStatements.statedAt })
    .from(residenceStatements)
    .where(eq(residenceStatements.customerId, customerId))
    .orderBy(desc(residenceStatements.statedAt), desc(residenceStatements.id))
    .limit(limit);
  return rows.map(({ country, statedAt }) => ({
    country,
    name: countryName(country),
    statedAt,
    served: isServed(country),
  }));
}
