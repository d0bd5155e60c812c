import { contactLimits, holdsAddress } from "#core/contact.ts";
import { oneLine, plainText } from "#core/text/plain-text.ts";
import { z } from "#core/zod.ts";

const { fullName, email, subject, message } = contactLimits;

/** What the form says under a field, wherever it is checked; what has no second sentence can only be missing. */
export const contactWords = {
  fullName: { missing: "Please enter your full name", wrong: undefined },
  email: {
    missing: "Please enter your e-mail address",
    wrong: "Please enter an e-mail address, such as name@example.com",
  },
  subject: { missing: "Please enter a subject", wrong: undefined },
  message: { missing: "Please write your message", wrong: undefined },
};

const words = z
  .string(contactWords.message.missing)
  .check(
    z.overwrite(plainText),
    z.minLength(1, contactWords.message.missing),
    z.maxLength(message, `At most ${message.toLocaleString("en-US")} characters`),
  );

const address = z
  .string(contactWords.email.missing)
  .check(
    z.trim(),
    z.email(contactWords.email.wrong),
    z.maxLength(email, `At most ${email} characters`),
  );

/** What a visitor writes on the contact page. */
export const contactForm = z.object({
  fullName: z.string(contactWords.fullName.missing).check(
    z.overwrite(oneLine),
    z.minLength(1, contactWords.fullName.missing),
    z.maxLength(fullName, `At most ${fullName} characters`),
    z.refine((name) => !holdsAddress.test(name), contactWords.fullName.missing),
  ),
  email: address,
  subject: z
    .string(contactWords.subject.missing)
    .check(
      z.overwrite(oneLine),
      z.minLength(1, contactWords.subject.missing),
      z.maxLength(subject, `At most ${subject} characters`),
    ),
  message: words,
});

/** What a visitor writes in answer to our reply, by its link. */
export const answerForm = z.object({ message: words });

/** An address for the newsletter. */
export const newsletterSchema = z.object({
  email: address,
});
