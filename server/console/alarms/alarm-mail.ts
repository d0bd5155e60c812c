import { type LateFact, lateAdvice } from "#core/late.ts";
import { formatMoment } from "#core/utc-day.ts";
import { actionNeeded, done, renderMail, type Site } from "#server/platform/mail/layout.ts";
import type { RenderedMail } from "#server/platform/mail/mail.ts";

export type TellingOf = "begun" | "goes on" | "over";

interface Telling {
  of: TellingOf;
  kind: LateFact["kind"];
  words: string;
  lateSince: Date | null;
  begunAt: Date;
  endedAt: Date | null;
}

/** One mail to somebody of the staff about all that began to be late, still is, or is over. What began comes first. */
export function alarmMail(site: Site, telling: Telling[]): RenderedMail {
  const of = (which: TellingOf) => telling.filter((each) => each.of === which);
  const going = [...of("begun"), ...of("goes on")];
  const [first] = going.length > 0 ? going : telling;
  const others = (going.length > 0 ? going : telling).length - 1;
  const more = others === 0 ? "" : `, and ${others} more`;
  const headline = going.length > 0 ? `${first?.words}${more}` : `Over: ${first?.words}${more}`;
  return renderMail(site, {
    template: "alarm",
    subject: headline,
    preview: telling
      .map(({ words }) => words)
      .slice(0, 3)
      .join(". "),
    headline,
    band: going.length > 0 ? actionNeeded : done,
    greeting: "Hello,",
    facts: [
      ...going.map((each): [string, string] => [each.words, sinceAndAdvice(each)]),
      ...of("over").map(({ words, endedAt }): [string, string] => [
        words,
        endedAt ? `over since ${formatMoment(endedAt)}` : "over",
      ]),
    ],
    paragraphs: [
      going.length > 0
        ? "We tell you again in a day, and when it is over."
        : "You need not do anything.",
    ],
    action: { label: "Open Health", url: `${site.appUrl}/operator/health` },
    because: `You get this because you are on the staff of ${site.siteName}, and your role may act on it.`,
  });
}

function sinceAndAdvice({ of, kind, lateSince, begunAt }: Telling): string {
  const again = of === "goes on" ? ", as we told you" : "";
  return `Since ${formatMoment(lateSince ?? begunAt)}${again}. ${lateAdvice[kind]}`;
}
