/** The longest message that staff may put above a customer's dashboard. */
export const dashboardMessageMaxLength = 500;

export interface DashboardBanner {
  kind: "welcome" | "notice" | "message";
  text: string;
}

/** What scrolls above the dashboard of somebody who has no deposits yet. */
export const welcomeText =
  "Welcome to our cloud mining platform. We are glad that you are here, and wish you a secure experience.";

/**
 * Decides what scrolls above a customer's dashboard: the welcome while the deposits add up to 0, else the message
 * that staff wrote, as a warning when it contains the word 'notice'. Null when there is nothing to say.
 */
export function dashboardBanner(
  customer: { depositTotalCents: bigint; message: string; expiresAt: Date | null },
  now: Date,
): DashboardBanner | null {
  if (customer.depositTotalCents === 0n) return { kind: "welcome", text: welcomeText };
  const expired = customer.expiresAt !== null && customer.expiresAt <= now;
  const text = customer.message.trim();
  if (expired || text === "") return null;
  return { kind: /\bnotice\b/i.test(text) ? "notice" : "message", text };
}
