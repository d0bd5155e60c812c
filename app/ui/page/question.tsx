import { FormattedText } from "../content/formatted-text.tsx";
import styles from "./question.module.css";

interface QuestionProps {
  question: string;
  /** In simple formatting, its numbers filled in. */
  answer: string;
  /** Its name in addresses: then `#slug` opens it, and it shows a link to itself. */
  slug?: string;
  /** Questions of one group: one is open at a time. */
  group?: string;
  open?: boolean;
  hidden?: boolean;
  /** Words that a search on the page finds it by, besides its own. */
  synonyms?: string;
}

/** A question that opens its answer, without script. */
export function Question(props: QuestionProps) {
  const { question, answer, slug, group, open, hidden, synonyms = "" } = props;
  return (
    <details
      name={group}
      className={styles.entry}
      open={open}
      hidden={hidden}
      data-question={synonyms}
    >
      <summary dir="auto">{question}</summary>
      <div id={slug} className={styles.answer}>
        <FormattedText source={answer} />
        {slug ? (
          <a href={`#${slug}`} className={styles.link} aria-label={`Link to: ${question}`}>
            Link to this answer
          </a>
        ) : null}
      </div>
    </details>
  );
}
