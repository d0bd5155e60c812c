import { Link } from "react-router";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { When } from "#app/ui/when.tsx";
import type { Word } from "#server/contact/queries.ts";
import styles from "./message.module.css";

/** All that was said, in order: the sender's words and ours. */
export function MessageWords({ words, senderName }: { words: Word[]; senderName: string }) {
  return (
    <ol className={styles.words} aria-label="What was said">
      {words.map((word) => (
        <li
          key={word.id}
          className={word.kind === "reply" ? `${styles.word} ${styles.reply}` : styles.word}
        >
          <div className={styles.by}>
            <strong>{word.kind === "reply" ? word.operatorName : senderName}</strong>
            <When at={word.createdAt} />
            {word.kind === "reply" && word.mailState ? (
              <Link to={`/operator/mail/${word.mailId}`}>
                <StatusBadge status={word.mailState} />
              </Link>
            ) : null}
          </div>
          <p className={styles.text}>{word.body}</p>
        </li>
      ))}
    </ol>
  );
}
