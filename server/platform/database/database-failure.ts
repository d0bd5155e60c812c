/** SQLSTATEs and socket errors that say the database is away or overloaded, not that a query was wrong. */
const outageCodes = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH"],
  // admin_shutdown, crash_shutdown, cannot_connect_now, query_canceled by its timeout, lock_not_available
  ...["57P01", "57P02", "57P03", "57014", "55P03"],
  // deadlock_detected: the other of the two goes on
  "40P01",
  // connection failures, too_many_connections, disk_full, read_only_sql_transaction
  ...["08000", "08003", "08006", "53300", "53100", "25006"],
]);

/** What `pg` says, without a code, when it could not get or keep a connection. */
const outageMessages =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/;

/** Whether an error, or what caused it, is the database being away: worth asking again in a moment. */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errors } = error as Error & { code?: string; errors?: unknown[] };
  if (code !== undefined && outageCodes.has(code)) return true;
  if (outageMessages.test(error.message)) return true;
  return (errors ?? []).some(isDatabaseOutage) || isDatabaseOutage(error.cause);
}

/** Whether PostgreSQL refused a text as no text at all: a NUL character, or bytes that are not UTF-8. */
export function isUnreadableText(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as Error & { code?: string }).code === "22021" || isUnreadableText(error.cause);
}
