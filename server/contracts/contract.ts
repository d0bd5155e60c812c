const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text from an address can be the id of anything. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
