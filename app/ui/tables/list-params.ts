/** The address of the same list with some parameters changed; null or "" takes one away. */
export function withParams(
  current: URLSearchParams,
  changes: Record<string, string | number | null>,
): string {
  const next = new URLSearchParams(current);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") next.delete(name);
    else next.set(name, String(value));
  }
  const text = next.toString();
  return text ? `?${text}` : "?";
}

/** Where a list is: changing what it shows starts it again from its beginning. */
export const positionParams = ["page", "after", "before"] as const;

/** The parameters a GET form must carry along: all but its own and the position. */
export function otherParams(current: URLSearchParams, own: string): [string, string][] {
  const left: string[] = [own, ...positionParams];
  return [...current].filter(([name]) => !left.includes(name));
}

export type Direction = "asc" | "desc";

/** How a list is sorted by one of its columns, as the URL says; null when another column sorts it. */
export function sortDirection(
  current: URLSearchParams,
  column: string,
  initial: Direction | undefined,
): Direction | null {
  const sorted = current.get("sort") ?? (initial ? column : null);
  if (sorted !== column) return null;
  const given = current.get("dir");
  return given === "asc" || given === "desc" ? given : (initial ?? "asc");
}
