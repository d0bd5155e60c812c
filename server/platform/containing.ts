/** A LIKE pattern for texts that contain this one as it stands: its own % and _ match only themselves. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
