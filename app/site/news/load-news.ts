import type { App } from "#server/app-context.ts";
import { type Announcement, listAnnouncements } from "#server/content/list-announcements.ts";

export type NewsEntry = Announcement & { ageMs: number };

/** What the operator announces: pinned first, then the newest. */
export async function loadNews(app: Pick<App, "db" | "now">, limit: number): Promise<NewsEntry[]> {
  const now = app.now();
  const announced = await listAnnouncements(app.db, { limit, now });
  const ageMs = ({ publishedAt }: Announcement) =>
    Math.max(0, now.getTime() - publishedAt.getTime());
  return announced.map((each) => ({ ...each, ageMs: ageMs(each) }));
}
