import type { Job } from "../jobs/jobs.ts";
import { type MailContext, sendMail } from "./send-mail.ts";

const send: Job<MailContext, { mailId: string }> = {
  name: "mail/send",
  run: (context, { mailId }) => sendMail(context, mailId),
};

export const mailJobs = [send];
