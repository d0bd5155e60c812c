import { aboutPhrase, type Band, type Letter, type Site, type WrittenLetter } from "./letter.ts";
import type { RenderedMail } from "./mail.ts";
import { markup } from "./markup.ts";

export type { Bars, Letter, Site } from "./letter.ts";

export const actionNeeded: Band = { tone: "action", word: "Action needed" };
export const done: Band = { tone: "done", word: "Done" };

/** Writes a letter out in both forms that a mail carries, in the site's look. */
export function renderMail(site: Site, letter: Letter): RenderedMail {
  const { template, subject, preview, holdsLink = false } = letter;
  return {
    template,
    subject,
    preview,
    holdsLink,
    write: (phrase, { isKnown, imprint = [] } = { isKnown: true }) => {
      const greeting = isKnown
        ? letter.greeting
        : letter.greeting.replace(/^Hello .*,$/su, "Hello,");
      const settings = letter.canMute ? settingsOf(site) : null;
      const written = { ...letter, greeting, phrase, imprint, settings };
      return { text: plainText(site, written), html: markup(site, written) };
    },
  };
}

function settingsOf({ appUrl }: Site) {
  return {
    label: "Change which mails you get",
    url: `${appUrl}/account/profile/emails#part-notices`,
  };
}

function plainText(site: Site, letter: WrittenLetter): string {
  const { phrase, band, headline, greeting, figure, facts = [], bars, quotes = [] } = letter;
  const { paragraphs, action, also, closing = [], imprint, because, settings, leaving } = letter;
  const named = ([name, value]: [string, string]) => `${name}: ${value}`;
  const link = (to: { label: string; url: string }) => `${to.label}:\n${to.url}`;
  const blocks = [
    phrase === null ? "" : `Your phrase: ${phrase}\n${aboutPhrase(site)}`,
    band ? `${band.word}\n${headline}` : headline,
    greeting,
    [...(figure ? [figure] : []), ...facts].map(named).join("\n"),
    bars
      ? [`${bars.caption}:`, ...bars.days.map(({ label, value }) => `${label}: ${value}`)].join(
          "\n",
        )
      : "",
    ...quotes.map(([name, words]) => `${name}:\n${words}`),
    ...paragraphs,
    action ? link(action) : "",
    also ? link(also) : "",
    ...closing,
    ["-- ", site.siteName, site.appUrl, ...imprint].join("\n"),
    because,
    settings ? link(settings) : "",
    leaving ? link(leaving) : "",
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}
