/** Where these words stand in what a form is told, they lead to the page. */
export const contactPage = { words: "the contact page", href: "/contact" } as const;

/** What is said before, and after, the contact page is named; null: it is not. */
export function aroundContactPage(text: string): readonly [before: string, after: string] | null {
  const at = text.indexOf(contactPage.words);
  return at < 0 ? null : [text.slice(0, at), text.slice(at + contactPage.words.length)];
}
