import { Link } from "react-router";
import { Question } from "#app/ui/page/question.tsx";
import home from "./home-section.module.css";
import styles from "./questions.module.css";
import { Tour } from "./tour.tsx";

interface Entry {
  slug: string;
  question: string;
  answer: string;
}

/** The questions that a first visit asks; an operator who removes one gets another in its place. */
const askedFirst = [
  "what-is-cloud-mining",
  "is-profit-guaranteed",
  "how-to-deposit",
  "how-to-withdraw",
  "how-to-check-a-balance",
];

/** A few of the questions, one open at a time, next to the tour. All of them are on /faq. */
export function Questions({ entries }: { entries: Entry[] }) {
  const first = chooseFirst(entries);
  if (first.length === 0) return null;
  return (
    <section className={`${home.section} ${styles.section}`} aria-labelledby="questions">
      <div className={styles.questions}>
        <h2 id="questions" className={`${home.heading} ${styles.heading}`}>
          Questions, answered exactly
        </h2>
        {first.map(({ slug, question, answer }, index) => (
          <Question
            key={slug}
            question={question}
            answer={answer}
            group="questions"
            open={index === 0}
          />
        ))}
        <p className={styles.all}>
          <Link to="/faq">All questions</Link>
        </p>
      </div>
      <Tour />
    </section>
  );
}

function chooseFirst(entries: Entry[]): Entry[] {
  const wanted = entries.filter(({ slug }) => askedFirst.includes(slug));
  const others = entries.filter((entry) => !wanted.includes(entry));
  return [...wanted, ...others].slice(0, askedFirst.length);
}
