import { html, raw } from "hono/html";
import { isLong, unbroken } from "./figures.ts";
import { aboutPhrase, type Band, type Bars, type Site, type WrittenLetter } from "./letter.ts";
import { markAttachment } from "./mark.ts";

const sans = "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const serif = "Georgia,'Times New Roman',serif";
const ink = "#16181D";
const muted = "#5B5F69";
const hairline = "#E7E2D9";
const copper = "#A84F20";
const bandColours: Record<Band["tone"], { text: string; ground: string }> = {
  action: { text: "#8A5A00", ground: "#FFF4D6" },
  done: { text: "#0F6F66", ground: "#E7F3F1" },
  loss: { text: "#B42318", ground: "#FDEEEB" },
};

/** Colours of the light scheme stand in the attributes, because some programs drop style sheets; the dark ones follow. */
const sheet = `
  @media (max-width: 480px) {
    .edge { padding: 16px 8px !important; }
    .in { padding-left: 20px !important; padding-right: 20px !important; }
    .fact td { display: block !important; width: auto !important; padding: 0 !important; }
    .fact td.value { padding-bottom: 12px !important; text-align: left !important; }
    .button { display: block !important; text-align: center !important; }
  }
  @media (prefers-color-scheme: dark) {
    .paper { background: #14161A !important; }
    .card { background: #1B1E24 !important; border-color: #2B2F37 !important; }
    .line { border-color: #2B2F37 !important; }
    .ink { color: #ECE9E3 !important; }
    .muted { color: #A3A7B0 !important; }
    .link { color: #E08650 !important; }
    .button { background: #E08650 !important; color: #14161A !important; }
    .bar { background: #E08650 !important; }
    .action { background: #2E2610 !important; color: #F2C14E !important; border-color: #F2C14E !important; }
    .done { background: #12282A !important; color: #4FB8A8 !important; border-color: #4FB8A8 !important; }
    .loss { background: #311B1A !important; color: #F07A6E !important; border-color: #F07A6E !important; }
  }`;

export function markup(site: Site, letter: WrittenLetter): string {
  const { subject, preview, band, phrase, headline, greeting, figure, bars, paragraphs } = letter;
  const { facts = [], quotes = [], action, also, closing = [] } = letter;
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no">
<title>${subject}</title>
<style>${raw(sheet)}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:#FBFAF7">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td class="paper edge" align="center" style="padding:32px 16px;background:#FBFAF7">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px">
<tr><td class="in" style="padding:0 32px 16px">${nameplate(site)}</td></tr>
<tr><td class="card" style="background:#FFFFFF;border:1px solid ${hairline};border-radius:6px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
${band ? bandRow(band) : ""}
<tr><td class="in ink" style="padding:28px 32px 20px;${sans};font-size:16px;line-height:1.5;color:${ink}">
${phrase === null ? "" : phraseLine(site, phrase)}
<h1 class="ink" style="margin:0 0 16px;font:600 24px/1.25 ${serif};color:${ink}">${unbroken(headline)}</h1>
${paragraph(greeting)}
${figure ? figureBlock(figure) : ""}
${facts.length > 0 ? factTable(facts) : ""}
${bars ? barTable(bars) : ""}
${quotes.map(quote)}
${paragraphs.map(paragraph)}
${action ? button(action) : ""}
${also ? html`<p style="margin:0 0 16px">${link(also)}</p>` : ""}
${closing.map(smallPrint)}
</td></tr>
</table>
</td></tr>
<tr><td class="in muted" style="padding:16px 32px 0;${sans};font-size:13px;line-height:1.5;color:${muted}">${footer(site, letter)}</td></tr>
</table>
</td></tr></table>
</body>
</html>`);
}

function nameplate({ siteName }: Site) {
  return html`<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td style="padding:0 10px 0 0"><img src="cid:${markAttachment.cid}" width="28" height="28" alt="" style="display:block;border:0"></td>
<td class="ink" style="font:600 20px/28px ${serif};color:${ink}">${siteName}</td></tr></table>`;
}

function bandRow({ tone, word }: Band) {
  const { text, ground } = bandColours[tone];
  return html`<tr><td class="in ${tone}" style="padding:10px 32px;background:${ground};border-top:3px solid ${text};border-radius:5px 5px 0 0;${sans};font-size:14px;font-weight:600;line-height:1.4;color:${text}">${word}</td></tr>`;
}

function phraseLine(site: Site, phrase: string) {
  return html`<p class="muted" style="margin:0 0 20px;font-size:13px;color:${muted}">Your phrase: <strong class="ink" style="color:${ink}">${phrase}</strong><br>${aboutPhrase(site)}</p>`;
}

function linesOf(text: string) {
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? unbroken(line) : html`<br>${unbroken(line)}`));
}

function paragraph(text: string) {
  return html`<p style="margin:0 0 16px;overflow-wrap:break-word">${linesOf(text)}</p>\n`;
}

function quote([name, words]: [string, string]) {
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;table-layout:fixed"><tr><td class="line" style="padding:2px 0 2px 14px;border-left:3px solid ${hairline};overflow-wrap:break-word"><span class="muted" style="font-size:14px;color:${muted}">${name}</span><br>${linesOf(words)}</td></tr></table>`;
}

function figureBlock([name, value]: [string, string]) {
  // Ether with its 18 decimals, or a moment: smaller, so that it stays on one line of a telephone.
  const size = value.length > 23 ? 17 : value.length > 18 ? 19 : 24;
  return html`<p style="margin:0 0 16px"><span class="muted" style="font-size:14px;color:${muted}">${name}</span><br><span class="ink" style="font-size:${size}px;line-height:1.3;font-weight:600;font-variant-numeric:tabular-nums;color:${ink}">${unbroken(value)}</span></p>`;
}

/** Label and value side by side, and one above the other on a telephone. Only what is too long for a line breaks. */
function factTable(facts: Array<[string, string]>) {
  const row = ([name, value]: [string, string]) => html`<tr class="fact">
<td class="muted" style="padding:4px 24px 4px 0;vertical-align:top;color:${muted}">${name}</td>
<td class="value ink" style="padding:4px 0;vertical-align:top;font-variant-numeric:tabular-nums;${isLong(value) ? "word-break:break-all;" : ""}color:${ink}">${unbroken(value)}</td></tr>\n`;
  return html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px;font-size:15px">${facts.map(row)}</table>`;
}

const tallest = 64;

function barTable({ caption, days }: Bars) {
  const most = Math.max(1, ...days.map(({ size }) => size));
  const width = `${Math.floor(100 / days.length)}%`;
  const bar = ({ size }: Bars["days"][number]) => {
    const height = size > 0 ? Math.max(2, Math.round((size / most) * tallest)) : 1;
    return html`<td width="${width}" height="${tallest}" style="height:${tallest}px;padding:0 3px;vertical-align:bottom"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td class="bar" height="${height}" style="height:${height}px;background:${copper};font-size:1px;line-height:1px">&nbsp;</td></tr></table></td>`;
  };
  const words = ({ label, value }: Bars["days"][number]) =>
    html`<td align="center" style="padding:4px 1px 0;font-size:12px;line-height:1.35;font-variant-numeric:tabular-nums;white-space:nowrap"><span class="ink" style="color:${ink}">${value}</span><br><span class="muted" style="color:${muted}">${linesOf(label.replace(" ", "\n"))}</span></td>`;
  return html`<p class="muted" style="margin:0 0 8px;font-size:14px;color:${muted}">${caption}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="line" style="margin:0 0 20px;table-layout:fixed"><tr>${days.map(bar)}</tr><tr>${days.map(words)}</tr></table>`;
}

/** What an address does is done by opening it: then it is shown in full, since not every program says where a button leads. */
function button({ label, url, acts }: { label: string; url: string; acts?: true }) {
  return html`<p style="margin:24px 0"><a class="button" href="${url}" style="display:inline-block;padding:12px 20px;background:${copper};border-radius:6px;color:#FFFFFF;font-weight:600;text-decoration:none">${unbroken(label)}</a></p>
${acts ? html`<p class="muted" style="margin:0 0 16px;font-size:13px;word-break:break-all;color:${muted}">${url}</p>` : ""}`;
}

function link({ label, url }: { label: string; url: string }) {
  return html`<a class="link" href="${url}" style="color:${copper}">${label}</a>`;
}

function smallPrint(text: string) {
  return html`<p class="muted" style="margin:0 0 8px;font-size:14px;overflow-wrap:break-word;color:${muted}">${unbroken(text)}</p>\n`;
}

function footer(site: Site, { imprint, because, settings, leaving }: WrittenLetter) {
  const { siteName, appUrl } = site;
  const home = { label: appUrl.replace(/^https?:\/\//, ""), url: appUrl };
  const lines = imprint.map((line) => html`${line}<br>`);
  const ways = [settings, leaving].map((way) => (way ? html` ${link(way)}` : ""));
  return html`${siteName} · ${link(home)}<br>${lines}${because}${ways}`;
}
