import { randomUUIDv7 } from "node:crypto";
import { flag, getRow, json, orNull } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Tx } from "../database.ts";
import { enqueue } from "../jobs/jobs.ts";
import { type Limit, tally } from "../rate-limit.ts";
import { mailKeys, mails } from "../schema.ts";
import { noticePriority, type RenderedMail, sendJobAttempts } from "./mail.ts";
import { findPhraseFor, findPhraseOf } from "./phrase.ts";

export interface NewMail {
  to: string;
  userId: string | null;
  now: Date;
  content: RenderedMail;
  /** It goes to an address that was this person's a moment ago, and carries their phrase all the same. */
  formerly?: true;
  /** A second mail with the same key is not queued. */
  key?: string;
  /** Where an answer goes; otherwise to the sender. */
  replyTo?: string;
  /** Whoever asks for it is counted there: it does not count among what an address that is not verified gets in a day. */
  countedElsewhere?: true;
  /** It lets what somebody asked for a moment ago pass. */
  isNotice?: true;
}

/**
 * Puts a mail in the queue, in the caller's transaction: it leaves if and only if what it tells about
 * was committed. It carries the phrase of whoever has this address. Enqueues `mail/send`. The id is null when a mail with the same
 * key was queued before, and when an address that nobody has verified got as many as it gets in a day.
 */
export async function queueMail(tx: Tx, mail: NewMail): Promise<{ mailId: string | null }> {
  const { template, subject, holdsLink } = mail.content;
  const { reader, imprint } = await findReader(tx, mail);
  if (reader === "too-often") return { mailId: null };
  const isKnown = reader === "known";
  const phrase = isKnown ? await phraseOf(tx, mail) : null;
  const { text, html } = mail.content.write(phrase, { isKnown, imprint });
  const id = randomUUIDv7();
  const keyed = await tx
    .insert(mailKeys)
    .values({ id, key: mail.key ?? null, userId: mail.userId })
    .onConflictDoNothing({ target: mailKeys.key })
    .returning({ id: mailKeys.id });
  if (keyed.length === 0) return { mailId: null };
  await tx.insert(mails).values({
    id,
    userId: mail.userId,
    recipient: mail.to,
    template,
    subject,
    bodyText: text,
    bodyHtml: html,
    holdsLink,
    replyTo: mail.replyTo ?? null,
    createdAt: mail.now,
  });
  await enqueue(
    tx,
    "mail/send",
    { mailId: id },
    {
      key: `mail:${id}`,
      maxAttempts: sendJobAttempts,
      priority: mail.isNotice ? noticePriority : 0,
    },
  );
  return { mailId: id };
}

function phraseOf(tx: Tx, { formerly, userId, to }: NewMail): Promise<string | null> {
  return formerly && userId ? findPhraseOf(tx, userId) : findPhraseFor(tx, to);
}

interface Company {
  name?: string;
  registration?: string;
  postalAddress?: string;
}

/**
 * Who reads what goes to this address, and who sends it. An account may have been opened with anybody's address: until its
 * customer has shown that it is theirs they are greeted without a name or phrase, and get so many mails a day and no more.
 */
async function findReader(
  tx: Tx,
  mail: NewMail,
): Promise<{ reader: "known" | "unknown" | "too-often"; imprint: string[] }> {
  const { known, company } = await getRow(
    tx,
    sql`select greets_by_name(${mail.to}) as known, company_in_mails() as company`,
    { known: orNull(flag), company: orNull(json<Company>()) },
  );
  const imprint = linesOf(company ?? {});
  if (mail.formerly || known) return { reader: "known", imprint };
  // Null: no user has this address.
  if (known !== false || mail.countedElsewhere) return { reader: "unknown", imprint };
  const soFar = await tally(tx, mailsToUnverified, mail.to.toLowerCase(), mail.now);
  return { reader: soFar > mailsToUnverified.max ? "too-often" : "unknown", imprint };
}

function linesOf({ name = "", registration = "", postalAddress = "" }: Company): string[] {
  const said = (texts: string[]) => texts.filter((text) => text !== "").join(", ");
  // Most people begin an address with the name.
  const address = postalAddress.split("\n").map((line) => line.trim());
  const lines = [said([name, registration]), said(address.filter((line) => line !== name))];
  return lines.filter((line) => line !== "");
}

export const mailsToUnverified = {
  purpose: "mail/unverified-address",
  max: 20,
  windowMinutes: 1440,
} as const satisfies Limit;
