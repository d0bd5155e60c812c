import type { App } from "#server/app-context.ts";
import { type Announcement, listAnnouncements } from "#server/content/list-announcements.ts";
import { listNews, type NewsItem } from "#server/news/list-news.ts";

/** A line of the timeline: what the operator announces, or what another site reports. */
export type NewsEntry =
  | (Announcement & { kind: "announcement"; ageMs: number })
  | (NewsItem & { kind: "elsewhere"; ageMs: number });

/**
 * What is new, ours and others': pinned announcements first, then the newest. However much others write, up to half
 * of the lines are ours.
 */
export async function loadNewsEntries(
  app: Pick<App, "db" | "now">,
  limit: number,
): Promise<NewsEntry[]> {
  const now = app.now();
  const announcements = await listAnnouncements(app.db, { limit, now });
  const ours = Math.min(announcements.length, Math.ceil(limit / 2));
  const elsewhere = await listNews(app.db, { limit: limit - ours });
  const ageMs = (at: Date) => Math.max(0, now.getTime() - at.getTime());
  const entries: NewsEntry[] = [
    ...announcements.map((each) => ({
      ...each,
      kind: "announcement" as const,
      ageMs: ageMs(each.publishedAt),
    })),
    ...elsewhere.map((each) => ({
      ...each,
      kind: "elsewhere" as const,
      ageMs: ageMs(each.publishedAt),
    })),
  ];
  return entries.sort((a, b) => rank(b) - rank(a) || a.ageMs - b.ageMs).slice(0, limit);
}

function rank(entry: NewsEntry): number {
  return entry.kind === "announcement" && entry.pinned ? 1 : 0;
}
