/** How long what visitors write may be. The form, its check and the tables agree on these. */
export const contactLimits = {
  fullName: 100,
  email: 254,
  subject: 150,
  message: 5000,
  reply: 10_000,
} as const;

/** What a customer may send along with a message. */
export const messageFiles = { most: 3, maxBytes: 10 * 1024 * 1024 } as const;

/** What a customer's message can be about: a case of their own. */
export const messageTopics = ["deposit", "contract", "withdrawal"] as const;
export type MessageTopic = (typeof messageTopics)[number];

/** Addresses of pages, which no name holds but which a stranger would like to see in a mail of ours that greets by name. */
export const holdsAddress = /:\/\/|www\./i;
