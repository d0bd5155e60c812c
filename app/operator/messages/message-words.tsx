import { Link } from "react-router";
import { formatFileSize } from "#app/ui/figures/format-file-size.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import type { AttachedFile, Word } from "#server/contact/list-messages.ts";
import { useMay } from "../parts/use-may.ts";
import styles from "./message.module.css";

interface MessageWordsProps {
  words: Word[];
  senderName: string;
  threadId: string;
}

/** All that was said, in order: the sender's words and ours. */
export function MessageWords({ words, senderName, threadId }: MessageWordsProps) {
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
          {word.kind === "message" && word.files.length > 0 ? (
            <MessageFiles files={word.files} threadId={threadId} />
          ) : null}
        </li>
      ))}
    </ol>
  );
}

/** Each opens apart; every view is written into the audit log. */
function MessageFiles({ files, threadId }: { files: AttachedFile[]; threadId: string }) {
  const may = useMay();
  return (
    <ul className={styles.files} aria-label="Files">
      {files.map(({ fileId, name, byteSize }) => (
        <li key={fileId}>
          {may("contact/view-file") ? (
            <a
              href={`/operator/messages/${threadId}/files/${fileId}`}
              target="_blank"
              rel="noopener noreferrer"
            >
              {name}
            </a>
          ) : (
            name
          )}{" "}
          <span className={styles.muted}>{formatFileSize(byteSize)}</span>
        </li>
      ))}
    </ul>
  );
}
