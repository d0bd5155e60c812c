/** The forms of a name that a customer can choose from. */
export const nameForms = ["full", "first-and-initial", "first", "initials"] as const;
export type NameForm = (typeof nameForms)[number];

/** A customer's name in the form that they chose: "Ada Lovelace", "Ada L.", "Ada", "A. L." */
export function nameInForm(
  person: { firstName: string; lastName: string },
  form: NameForm,
): string {
  const first = person.firstName.trim();
  const initial = `${[...person.lastName.trim()][0] ?? ""}.`;
  if (form === "full") return `${first} ${person.lastName.trim()}`;
  if (form === "first-and-initial") return `${first} ${initial}`;
  return form === "first" ? first : `${[...first][0] ?? ""}. ${initial}`;
}
