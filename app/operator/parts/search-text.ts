import { withoutNul } from "./parsed-text.ts";

/** What a search field holds: trimmed, short, and without the one character that PostgreSQL has no place for. */
export function searchText(params: URLSearchParams, name: string): string {
  return withoutNul(params.get(name) ?? "")
    .trim()
    .slice(0, 200);
}
