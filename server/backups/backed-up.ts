import type { Config } from "../platform/config.ts";

/** What is backed up, and where to. */
export type BackedUp = Pick<Config, "dataDir" | "s3"> & { backups: NonNullable<Config["backups"]> };
