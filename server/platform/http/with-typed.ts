/** The page of another search that found the same, with what this reader typed in the search's field. */
export function withTyped(html: string, { name, typed }: { name: string; typed: string }): string {
  const [before, field, after, ...more] = html.split(
    new RegExp(`(<input\\b[^>]*\\sname="${name}"[^>]*>)`),
  );
  if (before === undefined || !field || after === undefined || more.length > 0) {
    throw new Error(`a page with a search has one field ${name}`);
  }
  const value = ` value="${typed.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)}"`;
  return before + field.replace(/ value="[^"]*"/, () => value) + after;
}
