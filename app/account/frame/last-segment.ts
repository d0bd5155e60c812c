import { isUuid } from "#core/is-uuid.ts";

/**
 * The last part of a path, as a reader writes it: words without hyphens; broken escapes stay as they are. An id says nothing to
 * him: the part before it stands for it.
 */
export function lastSegment(pathname: string): string {
  const segment =
    pathname
      .split("/")
      .filter(Boolean)
      .findLast((each) => !isUuid(each)) ?? "";
  try {
    const text = decodeURIComponent(segment);
    return /^[a-z]+(-[a-z]+)+$/.test(text) ? text.replaceAll("-", " ") : text;
  } catch {
    return segment;
  }
}
