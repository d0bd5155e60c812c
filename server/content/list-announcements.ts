import { fillPlaceholders } from "#core/text/placeholders.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { AnnouncementBody } from "./content.ts";
import { type Live, listLive } from "./list-live.ts";

/** What the operator announces, the numbers of the terms filled in. */
export interface Announcement {
  id: string;
  /** `/news#slug` leads to it. */
  slug: string;
  title: string;
  text: string;
  publishedAt: Date;
  /** When these words were written. */
  updatedAt: Date;
  pinned: boolean;
}

/** What is announced at this moment: pinned first, then the newest. */
export async function listAnnouncements(
  db: Db | Tx,
  { limit, now }: { limit: number; now: Date },
): Promise<Announcement[]> {
  const live = (await listLive(db, "announcement")).map(asAnnouncement);
  const byRank = (a: ListedAnnouncement, b: ListedAnnouncement) =>
    Number(b.pinned) - Number(a.pinned) || b.publishedAt.getTime() - a.publishedAt.getTime();
  return live
    .filter(({ publishedAt, expiresAt }) => publishedAt <= now && (!expiresAt || expiresAt > now))
    .sort(byRank)
    .slice(0, limit)
    .map(({ expiresAt: _, ...shown }) => shown);
}

type ListedAnnouncement = Announcement & { expiresAt: Date | null };

function asAnnouncement({ pieceId, slug, body, createdAt }: Live): ListedAnnouncement {
  const { title, text, publishedAt, expiresAt, pinned } = body as unknown as AnnouncementBody;
  const shownFrom = new Date(publishedAt);
  return {
    id: pieceId,
    slug,
    title: fillPlaceholders(title),
    text: fillPlaceholders(text),
    publishedAt: shownFrom,
    updatedAt: createdAt > shownFrom ? createdAt : shownFrom,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    pinned,
  };
}
