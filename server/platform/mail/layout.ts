import { html, raw } from "hono/html";
import type { Config } from "../config.ts";
import type { RenderedMail } from "./mail.ts";

/** What every mail says about the site that sends it. */
export type Site = Pick<Config, "siteName" | "appUrl">;

export interface Letter {
  template: string;
  subject: string;
  /** The line that a mail program shows beside the subject. */
  preview: string;
  greeting: string;
  paragraphs: string[];
  /** Figures, each with its name: "Amount" "0.01 BTC". */
  facts?: Array<[name: string, value: string]>;
  /** The one thing to do, if there is one. */
  action?: { label: string; url: string };
  /** Said after the action: how long it works, what to do when it was not you. */
  closing?: string[];
  /** For mail to a list: why one gets it, and the way out. */
  leaving?: { because: string; label: string; url: string };
  /** Whether the action's address opens something by itself. */
  holdsLink?: boolean;
}

/** Writes a letter out in both forms that a mail carries, in the site's look. */
export function renderMail(site: Site, letter: Letter): RenderedMail {
  const { template, subject, preview, holdsLink = false } = letter;
  return {
    template,
    subject,
    preview,
    holdsLink,
    write: (phrase, { isKnown } = { isKnown: true }) => {
      const greeting = isKnown
        ? letter.greeting
        : letter.greeting.replace(/^Hello .*,$/su, "Hello,");
      const greeted = { ...letter, greeting };
      return { text: plainText(site, greeted, phrase), html: markup(site, greeted, phrase) };
    },
  };
}

function plainText(site: Site, letter: Letter, phrase: string | null): string {
  const { greeting, paragraphs, facts = [], action, closing = [], leaving } = letter;
  const blocks = [
    phrase === null ? "" : `Your phrase: ${phrase}\n${aboutPhrase(site)}`,
    greeting,
    ...paragraphs,
    facts.map(([name, value]) => `${name}: ${value}`).join("\n"),
    action ? `${action.label}:\n${action.url}` : "",
    ...closing,
    `-- \n${site.siteName}\n${site.appUrl}`,
    leaving ? `${leaving.because}\n${leaving.label}:\n${leaving.url}` : "",
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

/** Whoever imitates our mails does not know it. */
function aboutPhrase({ siteName }: Site): string {
  return `You chose it in your profile. A mail without it is not from ${siteName}.`;
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

/** Colours of the light scheme stand in the attributes, because some programs drop style sheets; the dark ones follow. */
const darkScheme = `
  @media (prefers-color-scheme: dark) {
    .paper { background: #14161A !important; }
    .card { background: #1B1E24 !important; border-color: #2B2F37 !important; }
    .ink { color: #ECE9E3 !important; }
    .muted { color: #A3A7B0 !important; }
    .link { color: #E08650 !important; }
    .button { background: #E08650 !important; color: #14161A !important; }
  }`;

function markup(site: Site, letter: Letter, phrase: string | null): string {
  const {
    subject,
    preview,
    greeting,
    paragraphs,
    facts = [],
    action,
    closing = [],
    leaving,
  } = letter;
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${raw(darkScheme)}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:#FBFAF7">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td class="paper" align="center" style="padding:32px 16px;background:#FBFAF7">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td class="ink" style="padding:0 0 16px;font:600 20px/1.3 Georgia,'Times New Roman',serif;color:#16181D">${site.siteName}</td></tr>
<tr><td class="card ink" style="padding:32px;background:#FFFFFF;border:1px solid #E7E2D9;border-radius:6px;${font};font-size:16px;line-height:1.5;color:#16181D">
${phrase === null ? "" : phraseLine(site, phrase)}
<p style="margin:0 0 16px">${greeting}</p>
${paragraphs.map(paragraph)}
${facts.length > 0 ? factTable(facts) : ""}
${action ? button(action) : ""}
${closing.map(smallPrint)}
</td></tr>
<tr><td class="muted" style="padding:16px 0;${font};font-size:13px;line-height:1.5;color:#5B5F69">${site.siteName} · <a class="link" href="${site.appUrl}" style="color:#A84F20">${site.appUrl.replace(/^https?:\/\//, "")}</a>${leaving ? wayOut(leaving) : ""}</td></tr>
</table>
</td></tr></table>
</body>
</html>`);
}

function phraseLine(site: Site, phrase: string) {
  return html`<p class="muted" style="margin:0 0 24px;font-size:13px;color:#5B5F69">Your phrase: <strong class="ink" style="color:#16181D">${phrase}</strong><br>${aboutPhrase(site)}</p>`;
}

function paragraph(text: string) {
  const lines = text.split("\n").map((line, index) => (index === 0 ? line : html`<br>${line}`));
  return html`<p style="margin:0 0 16px">${lines}</p>\n`;
}

function wayOut({ because, label, url }: NonNullable<Letter["leaving"]>) {
  return html`<br>${because} <a class="link" href="${url}" style="color:#A84F20">${label}</a>`;
}

function factTable(facts: Array<[string, string]>) {
  const row = ([name, value]: [string, string]) => html`<tr>
<td class="muted" style="padding:4px 16px 4px 0;vertical-align:top;color:#5B5F69">${name}</td>
<td class="ink" style="padding:4px 0;vertical-align:top;font-variant-numeric:tabular-nums;word-break:break-word;color:#16181D">${value}</td></tr>\n`;
  return html`<table cellpadding="0" cellspacing="0" style="margin:0 0 16px">${facts.map(row)}</table>`;
}

/** The address stands in full below the button: not every program shows where a button leads. */
function button(action: { label: string; url: string }) {
  return html`<p style="margin:24px 0"><a class="button" href="${action.url}" style="display:inline-block;padding:12px 20px;background:#A84F20;border-radius:6px;color:#FFFFFF;font-weight:600;text-decoration:none">${action.label}</a></p>
<p class="muted" style="margin:0 0 16px;font-size:13px;word-break:break-all;color:#5B5F69">${action.url}</p>`;
}

function smallPrint(text: string) {
  return html`<p class="muted" style="margin:0 0 8px;font-size:14px;color:#5B5F69">${text}</p>\n`;
}
