export const mailStates = ["queued", "sent", "failed"] as const;
export type MailState = (typeof mailStates)[number];

/** A mail as it was written, before anybody is named who gets it. */
export interface RenderedMail {
  /** Which letter it is, for instance `verification`. */
  template: string;
  subject: string;
  /** The line that a mail program shows beside the subject. */
  preview: string;
  /**
   * Writes both forms out, with the phrase by which its reader knows our mails, if there is one, and with the lines that say
   * who runs the site. To an address that nobody has verified it greets without a name: that may be a stranger's words.
   */
  write(
    phrase: string | null,
    to?: { isKnown: boolean; imprint?: string[] },
  ): { text: string; html: string };
  /** Whether it holds a link that opens something: such bodies are not kept once sent. */
  holdsLink: boolean;
}

/** Tries before a mail is given up; the waits between them grow to six hours, together about four days. */
export const maxSendAttempts = 25;

/** The queue's own limit lies above it, so that a mail is given up by decision and never forgotten. */
export const sendJobAttempts = 2 * maxSendAttempts;

/** What a customer is told without having asked stands behind what somebody waits for: after a mining day that is a digest for each. */
export const noticePriority = 5;
