/**
 * The database's own error, without the query around it: the query builder repeats the values that were sent,
 * which may fill megabytes.
 */
export function innermostCause(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return cause;
}
