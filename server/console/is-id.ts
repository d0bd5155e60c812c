const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text from an address or a search box can be an id; PostgreSQL would refuse any other. */
export function isId(text: string | undefined | null): text is string {
  return uuid.test(text ?? "");
}
