import { contactLimits, messageFiles } from "#core/contact.ts";
import { oldPage } from "#core/form-fields.ts";
import { oneLine, plainText } from "#core/text/plain-text.ts";
import { z } from "#core/zod.ts";

const tooLong = (most: number) => `At most ${most.toLocaleString("en-US")} characters`;
const filesOf = (value: unknown) =>
  [value].flat().filter((each): each is File => each instanceof File);

export const tooManyFiles = `Choose at most ${messageFiles.most} files.`;
export const filesTooLarge = `The files are larger than ${messageFiles.maxBytes / 1024 / 1024} MB together. Send smaller pictures or fewer.`;

const common = {
  submissionKey: z.uuid(oldPage),
  message: z
    .string("Please write your message")
    .check(
      z.overwrite(plainText),
      z.minLength(1, "Please write your message"),
      z.maxLength(contactLimits.message, tooLong(contactLimits.message)),
    ),
  /** Only a browser sees them here: the server reads them as a stream. */
  files: z.optional(
    z.unknown().check(
      z.refine((value) => filesOf(value).length <= messageFiles.most, tooManyFiles),
      z.refine(
        (value) => filesOf(value).reduce((sum, { size }) => sum + size, 0) <= messageFiles.maxBytes,
        filesTooLarge,
      ),
    ),
  ),
};

/** What a customer writes in a thread of their own. */
export const answerSchema = z.object(common);

/** What opens a new one. */
export const newMessageSchema = z.object({
  ...common,
  about: z.optional(z.string()),
  subject: z
    .string("Please enter a subject")
    .check(
      z.overwrite(oneLine),
      z.minLength(1, "Please enter a subject"),
      z.maxLength(contactLimits.subject, tooLong(contactLimits.subject)),
    ),
});
