/** How an address may name something: lower case, digits, hyphens. */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const slugMaxLength = 80;

/** An address's name for a title: "How is it paid?" -> "how-is-it-paid". Empty when nothing is left. */
export function slugOf(title: string): string {
  return title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, slugMaxLength)
    .replace(/^-+|-+$/g, "");
}
