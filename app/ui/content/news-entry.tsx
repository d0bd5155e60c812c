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
    <li id={slug} className={`${styles.entry} ${styles.ours}`}>
      <p className={styles.facts}>
        {pinned ? <span className={styles.pinned}>Pinned</span> : null}
        <span>From us</span>
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

interface ElsewhereProps extends Dated {
  title: string;
  url: string;
  source: string;
  summary: string;
}

/** What another site reports: its words as plain text, its name and age, and a link that vouches for nothing. */
export function ElsewhereEntry({
  title,
  url,
  source,
  summary,
  publishedAt,
  ageMs,
  heading: Heading = "h3",
}: ElsewhereProps) {
  return (
    <li className={`${styles.entry} ${styles.elsewhere}`}>
      <p className={styles.facts}>
        <span dir="auto">{source}</span>
        <AgeOf publishedAt={publishedAt} ageMs={ageMs} />
      </p>
      <Heading className={styles.title} dir="auto">
        <a href={url} rel="noopener nofollow" referrerPolicy="no-referrer">
          {title}
        </a>
      </Heading>
      {summary ? (
        <p className={styles.text} dir="auto">
          {summary}
        </p>
      ) : null}
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
