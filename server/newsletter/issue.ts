/** Written; on its way; with everybody; broken off. */
export const issueStates = ["draft", "sending", "sent", "stopped"] as const;
export type IssueState = (typeof issueStates)[number];

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text out of an address can be an id at all; PostgreSQL would refuse any other with an error. */
export function isUuid(text: string | null | undefined): text is string {
  return uuid.test(text ?? "");
}
