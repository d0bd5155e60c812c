const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text, of an address or a form, can be an id at all; PostgreSQL refuses any other with an error. */
export function isUuid(text: string | null | undefined): text is string {
  return uuid.test(text ?? "");
}
