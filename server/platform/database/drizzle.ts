import { createRequire } from "node:module";

export type { NodePgDatabase } from "drizzle-orm/node-postgres";

/**
 * Drizzle, for everybody: `sql.ts` and `tables.ts` name its words. Node reads a package's description anew for
 * each file of it that is imported, and Drizzle's is 180 kB long, its files a hundred: half a second of each process's
 * start. What is required in the older form reads no description.
 */
const require = createRequire(import.meta.url);

export const queries: typeof import("drizzle-orm") = require("drizzle-orm");
export const pgCore: typeof import("drizzle-orm/pg-core") = require("drizzle-orm/pg-core");
export const nodePostgres: typeof import("drizzle-orm/node-postgres") = require("drizzle-orm/node-postgres");
