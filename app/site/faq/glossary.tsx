import { Link } from "react-router";
import { cachedPage } from "#app/plain-page.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { type GlossaryTerm, glossary } from "#core/text/glossary.ts";
import { SitePage } from "../frame/site-page.tsx";
import styles from "./glossary.module.css";
import { glossaryTexts } from "./glossary-texts.ts";

export const handle = cachedPage();

export const meta = pageMeta({
  title: "Glossary",
  description:
    "The words of Bitcoin mining that this site uses, from hashrate and difficulty to seal and UTC day, each explained in two sentences.",
  path: "/glossary",
});

export default function Glossary() {
  const names = Object.keys(glossary) as GlossaryTerm[];
  return (
    <SitePage title="Glossary" lead="The words of mining, each in two sentences.">
      <dl className={styles.entries}>
        {names.map((name) => (
          <div key={name} id={name} className={styles.entry}>
            <dt>
              <a href={`#${name}`}>{glossary[name].term}</a>
            </dt>
            <dd>
              <p>{glossary[name].hint}</p>
              <p className={styles.more}>{glossaryTexts[name]}</p>
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
