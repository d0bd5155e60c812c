/**
 * The HTTP status behind an error, or null when no answer came at all. A fault inside the server reaches
 * the page without a status, under the one message that React Router leaves on it: that is a 500, not a
 * bad connection.
 */
export function errorStatus(error: unknown, isResponse: boolean): number | null {
  if (isResponse) return (error as { status: number }).status;
  if (error instanceof Error && error.message === "Unexpected Server Error") return 500;
  return null;
}
