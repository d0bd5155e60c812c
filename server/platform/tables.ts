/** Drizzle's words for PostgreSQL's tables, for everybody: see `sql.ts`. */
// biome-ignore-start lint/performance: what the rules want is what this file is for, see above.
export * from "drizzle-orm/pg-core";
// biome-ignore-end lint/performance: as above.
