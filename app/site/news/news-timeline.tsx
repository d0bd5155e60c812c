import { Link } from "react-router";
import { AnnouncementEntry } from "#app/ui/content/news-entry.tsx";
import { EmbedSlot } from "#app/ui/market/embed-slot.tsx";
import type { EmbedName } from "#core/text/embeds.ts";
import home from "../home/home-section.module.css";
import type { NewsEntry } from "./load-news.ts";
import styles from "./news-timeline.module.css";

interface HomeNewsProps {
  entries: NewsEntry[];
  /** The provider's widgets that the operator has switched on. */
  embeds: EmbedName[];
}

/** What is new, on the landing page. */
export function HomeNews({ entries, embeds }: HomeNewsProps) {
  return (
    <section className={`${home.section} ${styles.section}`} aria-labelledby="news">
      <h2 id="news" className={`${home.heading} ${styles.heading}`}>
        News
      </h2>
      <EmbedSlot name="timeline" switchedOn={embeds}>
        {entries.length === 0 ? (
          <p className={styles.none}>There is no news yet. What we announce appears here.</p>
        ) : (
          <NewsTimeline entries={entries} />
        )}
      </EmbedSlot>
      {entries.length === 0 ? null : (
        <p className={styles.more}>
          <Link to="/news">All news</Link>
        </p>
      )}
    </section>
  );
}

/** Announcements, newest first, under what is pinned. */
export function NewsTimeline({
  entries,
  heading = "h3",
}: {
  entries: NewsEntry[];
  heading?: "h2" | "h3";
}) {
  return (
    <ol className={styles.timeline}>
      {entries.map((entry) => (
        <AnnouncementEntry key={entry.id} {...entry} heading={heading} />
      ))}
    </ol>
  );
}
