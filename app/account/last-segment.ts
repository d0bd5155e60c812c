/** The last part of a path, as a reader writes it: words without hyphens; broken escapes stay as they are. */
export function lastSegment(pathname: string): string {
  const segment = pathname.split("/").filter(Boolean).at(-1) ?? "";
  try {
    const text = decodeURIComponent(segment);
    return /^[a-z]+(-[a-z]+)+$/.test(text) ? text.replaceAll("-", " ") : text;
  } catch {
    return segment;
  }
}
