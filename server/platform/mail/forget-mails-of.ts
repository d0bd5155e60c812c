import { eq, inArray, or } from "#server/platform/sql.ts";
import type { Tx } from "../database.ts";
import { mailKeys, mails } from "../schema.ts";

/** Deletes every mail that was written for a person, and every other to an address that is certainly theirs. */
export async function forgetMailsOf(
  tx: Tx,
  person: { userId: string; ownEmail: string | null },
): Promise<void> {
  const { userId, ownEmail } = person;
  const toThem = ownEmail === null ? undefined : eq(mails.recipient, ownEmail);
  const gone = tx.$with("gone").as(
    tx
      .delete(mails)
      .where(or(eq(mails.userId, userId), toThem))
      .returning({ id: mails.id }),
  );
  await tx
    .with(gone)
    .delete(mailKeys)
    .where(
      or(
        // Also of months that are not here: what is put back goes by these.
        eq(mailKeys.userId, userId),
        inArray(mailKeys.id, tx.select({ id: gone.id }).from(gone)),
      ),
    );
}
