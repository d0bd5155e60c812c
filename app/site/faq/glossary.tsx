import { Link } from "react-router";
import { cachedPage } from "#app/plain-page.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { type GlossaryEntry, glossary } from "#core/text/glossary.ts";
import { SitePage } from "../frame/site-page.tsx";
import styles from "./glossary.module.css";

export const handle = cachedPage();

export const meta = pageMeta({
  title: "Glossary",
  description:
    "The words of Bitcoin mining that this site uses, from hashrate and difficulty to seal and UTC day, each explained in two sentences.",
  path: "/glossary",
});

export default function Glossary() {
  const entries: [string, GlossaryEntry][] = Object.entries(glossary);
  return (
    <SitePage title="Glossary" lead="The words of mining, each in two sentences.">
      <dl className={styles.entries}>
        {entries.map(([name, { term, hint, more }]) => (
          <div key={name} id={name} className={styles.entry}>
            <dt>
              <a href={`#${name}`}>{term}</a>
            </dt>
            <dd>
              <p>{hint}</p>
              <p className={styles.more}>{more}</p>
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.further}>
        How these fit together: <Link to="/services#mining">How hosted mining works</Link>. More
        answers: <Link to="/faq">FAQ</Link>.
      </p>
    </SitePage>
  );
}
