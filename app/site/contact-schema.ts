import { contactLimits, holdsAddress } from "#core/contact.ts";
import { oneLine, plainText } from "#core/plain-text.ts";
import { z } from "#core/zod.ts";

const { fullName, email, subject, message } = contactLimits;

const words = z
  .string("Please write your message")
  .check(
    z.overwrite(plainText),
    z.minLength(1, "Please write your message"),
    z.maxLength(message, `At most ${message.toLocaleString("en-US")} characters`),
  );

const address = z
  .string("Please enter your e-mail address")
  .check(
    z.trim(),
    z.email("Please enter an e-mail address, such as name@example.com"),
    z.maxLength(email, `At most ${email} characters`),
  );

/** What a visitor writes on the contact page. */
export const contactForm = z.object({
  fullName: z.string("Please enter your full name").check(
    z.overwrite(oneLine),
    z.minLength(1, "Please enter your full name"),
    z.maxLength(fullName, `At most ${fullName} characters`),
    z.refine((name) => !holdsAddress.test(name), "Please enter your full name"),
  ),
  email: address,
  subject: z
    .string("Please say what it is about")
    .check(
      z.overwrite(oneLine),
      z.minLength(1, "Please say what it is about"),
      z.maxLength(subject, `At most ${subject} characters`),
    ),
  message: words,
});

/** What somebody writes who answers a reply by its link. */
export const answerForm = z.object({ message: words });

/** An address for the newsletter. */
export const newsletterSchema = z.object({
  email: address,
});
