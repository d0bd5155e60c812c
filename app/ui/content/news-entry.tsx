import type { ReactNode } from "react";
import { formatAge, formatUtc } from "../figures/format-time.ts";
import { FormattedText } from "./formatted-text.tsx";
import styles from "./news-entry.module.css";

interface Dated {
  publishedAt: Date;
  /** How old it was when the page was made. */
  ageMs: number;
  /** What its title is among the page's headings. */
  heading?: "h2" | "h3";
}

interface AnnouncementProps extends Dated {
  title: string;
  /** In simple formatting, its numbers filled in. */
  text: string;
  pinned: boolean;
  /** `#slug` leads to it. */
  slug?: string;
}

/** What the operator announces, as a line of the timeline. */
export function AnnouncementEntry({
  title,
  text,
  pinned,
  slug,
  publishedAt,
  ageMs,
  heading: Heading = "h3",
}: AnnouncementProps) {
  return (
    <li id={slug} className={styles.entry}>
      <p className={styles.facts}>
        {pinned ? <span className={styles.pinned}>Pinned</span> : null}
        <AgeOf publishedAt={publishedAt} ageMs={ageMs} />
      </p>
      <Heading className={styles.title} dir="auto">
        {title}
      </Heading>
      <div className={styles.text}>
        <FormattedText source={text} />
      </div>
    </li>
  );
}

function AgeOf({ publishedAt, ageMs }: Dated): ReactNode {
  return (
    <time dateTime={publishedAt.toISOString()} title={formatUtc(publishedAt)} data-age-ms={ageMs}>
      {formatAge(new Date(0), new Date(ageMs))}
    </time>
  );
}
