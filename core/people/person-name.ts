/** Letters and marks of every script, spaces, and what joins or shortens names. `is_a_name` in database/platform/functions.sql holds the same. */
const ofNames = /^[\p{L}\p{M} \u00a0.'’-]+$/u;
/** Letters that nobody sees, and marks that change how others look. */
const unseen = /\p{Default_Ignorable_Code_Point}/u;
/** The joiners are unseen too, but Persian and the scripts of India are not written without them, between two of their letters. */
const joined = /([\u0600-\u0dff])[\u200c\u200d](?=[\u0600-\u0dff])/gu;
/** What a mail program would make an address of a page of: "bonus.example". Initials have one letter after a dot: "J.R.R." */
const address = /\.\p{M}*\p{L}\p{M}*\p{L}/u;
const pile = /\p{M}{5}/u;

/**
 * What is wrong with a first or last name, or null. Names stand in mails to addresses that somebody typed, so they hold nothing but
 * a name: no line of a stranger's own, no address, no character that hides or turns what is read.
 */
export function nameProblem(name: string): string | null {
  if ([...name].length > 100) return "That is too long for a name: at most 100 characters";
  const seen = name.normalize("NFC").replace(joined, "$1");
  const isName =
    ofNames.test(seen) && /\p{L}/u.test(seen) && !unseen.test(seen) && !pile.test(seen);
  if (!isName) return "A name has letters, spaces, and . ' - only";
  return address.test(seen) ? "A name has letters, and a space after each dot" : null;
}
