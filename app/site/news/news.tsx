import { cachedPage } from "#app/plain-page.ts";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { appContext } from "#server/app-context.ts";
import { SitePage } from "../frame/site-page.tsx";
import type { Route } from "./+types/news";
import { loadNews } from "./load-news.ts";
import styles from "./news-timeline.module.css";
import { NewsTimeline } from "./news-timeline.tsx";

const shown = 60;

export const handle = cachedPage();

export const meta = pageMeta({
  title: "News",
  description: "What we announce, newest first. It also comes as a feed.",
  path: "/news",
});

export async function loader({ context }: Route.LoaderArgs) {
  return { entries: await loadNews(context.get(appContext), shown) };
}

export default function News({ loaderData: { entries } }: Route.ComponentProps) {
  return (
    <SitePage
      width="middle"
      title="News"
      lead={
        <>
          What we announce. It also comes as a <a href="/news.atom">feed</a>.
        </>
      }
    >
      <div className={styles.all}>
        {entries.length === 0 ? (
          <EmptyState drawing="seal">Nothing has been announced yet.</EmptyState>
        ) : (
          <NewsTimeline entries={entries} heading="h2" />
        )}
      </div>
    </SitePage>
  );
}
