import { randomUUIDv7 } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import { findCustomer } from "../identity/account/find-customer.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import { isMuted } from "../identity/settings/choose-notices.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { renderMail, type Site } from "../platform/mail/layout.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { testimonials } from "./schema.ts";
import { testimonialLimits } from "./testimonial.ts";

/**
 * Asks a customer for some words about the service, by mail unless he has muted that. Nothing is shown before the
 * customer has agreed to the exact words and an operator has published them. Asking again while an invitation is open
 * changes nothing, and mails nothing.
 *
 * @throws Refusal `content/no-such-customer`, `content/invitation-too-long`
 */
export async function inviteTestimonial(
  db: Db,
  operator: ActingOperator,
  asked: { customerId: string; invitation: string; site: Site },
  now: Date,
): Promise<{ testimonialId: string; isMailed: boolean }> {
  const { customerId, site } = asked;
  const invitation = asked.invitation.trim();
  if (invitation.length > testimonialLimits.invitation) {
    throw new Refusal("content/invitation-too-long");
  }
  const customer = await findCustomer(db, customerId);
  if (!customer) throw new Refusal("content/no-such-customer");
  return db.transaction(async (tx) => {
    const isOpen = and(
      eq(testimonials.customerId, customerId),
      isNull(testimonials.withdrawnAt),
      isNull(testimonials.declinedAt),
    );
    const [open] = await tx.select({ id: testimonials.id }).from(testimonials).where(isOpen);
    if (open) return { testimonialId: open.id, isMailed: false };
    const testimonialId = randomUUIDv7();
    const act = {
      act: "content/invite-testimonial" as const,
      subject: `testimonial:${testimonialId}`,
      customerId,
      detail: { invitation },
      now,
    };
    const isMailed = await actAsOperator(tx, operator, act, async (inner, auditId) => {
      await inner.insert(testimonials).values({
        id: testimonialId,
        customerId,
        invitation,
        invitedAt: now,
        invitedByAct: auditId,
      });
      if (await isMuted(inner, customerId, "testimonial-invitation")) return false;
      const key = `testimonial:${testimonialId}`;
      const content = invitationMail(site, customer.firstName, invitation);
      await queueMail(inner, { to: customer.email, userId: customerId, now, content, key });
      return true;
    });
    return { testimonialId, isMailed };
  });
}

function invitationMail(site: Site, firstName: string, invitation: string) {
  return renderMail(site, {
    template: "testimonial-invitation",
    subject: `Would you say a few words about ${site.siteName}?`,
    preview: "Only if you want to. You see exactly what we would show, and can withdraw it.",
    headline: "Would you say a few words about us?",
    greeting: `Hello ${firstName},`,
    quotes: invitation === "" ? [] : [["Our question", invitation]],
    paragraphs: [
      "We would like to quote you on our site: good or bad, in your own words.",
      "You write them on the page below, choose how your name is shown, and see the result. We show nothing unless you agree to it there, and you can withdraw it at any time.",
    ],
    action: { label: "Write a few words", url: `${site.appUrl}/account/testimonial` },
    closing: ["You get nothing for it, and nothing changes for you if you would rather not."],
    because: "You get this because you are a customer.",
    canMute: true,
  });
}
