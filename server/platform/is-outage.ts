import { isDatabaseOutage } from "./database/database-failure.ts";
import { StorageAway } from "./files/file-store.ts";

/** Whether an error is the database or the file store being away: worth asking again in a moment. */
export function isOutage(error: unknown): boolean {
  return error instanceof StorageAway || isDatabaseOutage(error);
}
