import type { ReactNode } from "react";
import { formatFileSize } from "../figures/format-file-size.ts";
import { When } from "../figures/when.tsx";
import styles from "./conversation.module.css";

interface Said {
  id: string;
  kind: "message" | "reply";
  createdAt: Date;
  body: string;
  files?: Array<{ fileId: string; name: string; byteSize: number }>;
}

interface ConversationProps<Word extends Said> {
  label: string;
  words: Word[];
  nameOf: (word: Word) => string;
  /** What else is said of a word, beside its time. */
  aside?: (word: Word) => ReactNode;
  /** Where the thread is; null: its files are named, and cannot be opened. */
  filesAt: string | null;
}

/** All that was said, in order: the sender's words, with their files, and ours. */
export function Conversation<Word extends Said>(props: ConversationProps<Word>) {
  const { label, words, nameOf, aside, filesAt } = props;
  return (
    <ol className={styles.talk} aria-label={label}>
      {words.map((word) => (
        <li
          key={word.id}
          className={word.kind === "reply" ? `${styles.word} ${styles.reply}` : styles.word}
        >
          <div className={styles.by}>
            <strong>{nameOf(word)}</strong>
            <When at={word.createdAt} />
            {aside?.(word)}
          </div>
          <p className={styles.text}>{word.body}</p>
          {word.files && word.files.length > 0 ? <Files files={word.files} at={filesAt} /> : null}
        </li>
      ))}
    </ol>
  );
}

function Files({ files, at }: { files: NonNullable<Said["files"]>; at: string | null }) {
  return (
    <ul className={styles.files} aria-label="Files">
      {files.map(({ fileId, name, byteSize }) => (
        <li key={fileId}>
          {at === null ? (
            name
          ) : (
            <a href={`${at}/files/${fileId}`} target="_blank" rel="noopener noreferrer">
              {name}
            </a>
          )}{" "}
          <span className={styles.size}>{formatFileSize(byteSize)}</span>
        </li>
      ))}
    </ul>
  );
}
