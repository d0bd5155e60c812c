import { escapeMarkup, parseFormatted, toHtml } from "#core/text/formatted-text.ts";
import { appContext } from "#server/app-context.ts";
import { type Announcement, listAnnouncements } from "#server/content/list-announcements.ts";
import type { Route } from "./+types/news-atom";

const entriesInFeed = 50;

/** The announcements as an Atom feed (RFC 4287). */
export async function loader({ context }: Route.LoaderArgs) {
  const { db, now, config } = context.get(appContext);
  const at = now();
  const announcements = await listAnnouncements(db, { limit: entriesInFeed, now: at });
  const newestFirst = announcements.sort(
    (a, b) => b.publishedAt.getTime() - a.publishedAt.getTime(),
  );
  return new Response(atomFeed(config, newestFirst, at), {
    headers: {
      "content-type": "application/atom+xml; charset=utf-8",
      "cache-control": "public, max-age=300",
    },
  });
}

interface Site {
  siteName: string;
  appUrl: string;
}

/** Nothing in it is trusted to be free of markup, although only operators write it. */
export function atomFeed(
  { siteName, appUrl }: Site,
  announcements: Announcement[],
  now: Date,
): string {
  const updated = announcements.map(({ updatedAt }) => updatedAt.getTime());
  const newest = updated.length > 0 ? new Date(Math.max(...updated)) : now;
  const name = escapeMarkup(siteName);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    `  <id>${appUrl}/news.atom</id>`,
    `  <title>${name}: news</title>`,
    `  <updated>${newest.toISOString()}</updated>`,
    `  <author><name>${name}</name></author>`,
    `  <link rel="self" type="application/atom+xml" href="${appUrl}/news.atom"/>`,
    `  <link rel="alternate" type="text/html" href="${appUrl}/news"/>`,
    ...announcements.map((announcement) => entry(announcement, appUrl)),
    "</feed>",
    "",
  ].join("\n");
}

function entry(
  { id, slug, title, text, publishedAt, updatedAt }: Announcement,
  appUrl: string,
): string {
  return [
    "  <entry>",
    `    <id>urn:uuid:${id}</id>`,
    `    <title>${escapeMarkup(title)}</title>`,
    `    <published>${publishedAt.toISOString()}</published>`,
    `    <updated>${updatedAt.toISOString()}</updated>`,
    `    <link rel="alternate" type="text/html" href="${appUrl}/news#${slug}"/>`,
    `    <content type="html">${escapeMarkup(toHtml(parseFormatted(text), appUrl))}</content>`,
    "  </entry>",
  ].join("\n");
}
