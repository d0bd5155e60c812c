import type { Config } from "../config.ts";

/** What every mail says about the site that sends it. */
export type Site = Pick<Config, "siteName" | "appUrl">;

/** A coloured band above the headline. Colour never speaks alone: it holds a word. */
export interface Band {
  tone: "action" | "done" | "loss";
  word: string;
}

/** What happened on each of some days. */
export interface Bars {
  caption: string;
  days: Array<{ label: string; value: string; size: number }>;
}

export interface Letter {
  template: string;
  subject: string;
  /** The line that a mail program shows beside the subject. */
  preview: string;
  /** What happened, in a few words, above all others. */
  headline: string;
  band?: Band;
  greeting: string;
  /** The one figure that the letter is about, before its reasons. */
  figure?: [name: string, value: string];
  /** Further figures, each with its name: "Amount" "0.01 BTC". */
  facts?: Array<[name: string, value: string]>;
  bars?: Bars | undefined;
  /** What a person wrote, each with its name: "Reason" "The slip shows another amount". */
  quotes?: Array<[name: string, words: string]>;
  paragraphs: string[];
  /** The one thing to do, if there is one. `acts`: the address does something, so it is shown in full, too. */
  action?: { label: string; url: string; acts?: true };
  /** A second way on: where to write about it. */
  also?: { label: string; url: string };
  /** Said after the action: how long it works, what to do when it was not you. */
  closing?: string[];
  /** Why one gets it: "You get this because you have a contract." */
  because: string;
  /** Whether the customer can switch mails like this off. */
  canMute?: true;
  /** The way out of what one subscribed to. */
  leaving?: { label: string; url: string };
  /** Whether the action's address opens something by itself. */
  holdsLink?: boolean;
}

/** A letter as it is written out, once its reader and its sender are known. */
export interface WrittenLetter extends Letter {
  phrase: string | null;
  /** Who runs the site, in lines. */
  imprint: string[];
  /** Where the reader changes which mails come. */
  settings: { label: string; url: string } | null;
}

/** Anyone who imitates our mails does not know it. */
export function aboutPhrase({ siteName }: Site): string {
  return `You chose it in your profile. A mail without it is not from ${siteName}.`;
}
