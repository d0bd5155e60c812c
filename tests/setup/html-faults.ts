import { HtmlValidate } from "html-validate";

/** The HTML standard's own rules, and a scope for each head of a table. How a page is written is not asked about. */
const standard = new HtmlValidate({
  root: true,
  extends: ["html-validate:standard"],
  rules: { "wcag/h63": "error" },
});

/** What a validator finds wrong with a page, each with its place in it. */
export async function htmlFaults(page: string): Promise<string[]> {
  const { results } = await standard.validateString(page);
  return results.flatMap(({ messages }) =>
    messages.map(({ message, selector }) => `${message} (${selector})`),
  );
}
