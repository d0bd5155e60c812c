/**
 * Drizzle's words for queries, for everybody. Node reads a package's description anew for each file that imports
 * it, and Drizzle's is 180 kB long: a third of what loading the server took. So it is imported here alone.
 */
// biome-ignore-start lint/performance: what the rules want is what this file is for, see above.
export * from "drizzle-orm";
// biome-ignore-end lint/performance: as above.
