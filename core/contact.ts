/** How long what visitors write may be. The form, its check and the tables agree on these. */
export const contactLimits = {
  fullName: 100,
  email: 254,
  subject: 150,
  message: 5000,
  reply: 10_000,
} as const;

/** Addresses of pages, which no name holds but which a stranger would like to see in a mail of ours that greets by name. */
export const holdsAddress = /:\/\/|www\./i;
