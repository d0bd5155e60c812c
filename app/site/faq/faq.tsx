import { Link, type MetaDescriptor } from "react-router";
import { cachedPage } from "#app/plain-page.ts";
import { Button } from "#app/ui/controls/button.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { Question } from "#app/ui/page/question.tsx";
import { type FaqGroup, faqGroups } from "#core/text/faq-groups.ts";
import { countFound, type Found } from "#core/text/faq-search.ts";
import { parseFormatted, plainText } from "#core/text/formatted-text.ts";
import { appContext } from "#server/app-context.ts";
import { type FaqEntry, listFaqEntries } from "#server/content/list-faq-entries.ts";
import { searchFaq } from "#server/content/search-faq.ts";
import { SitePage } from "../frame/site-page.tsx";
import { Tour } from "../home/tour.tsx";
import type { Route } from "./+types/faq";
import styles from "./faq.module.css";

export const handle = cachedPage("q");

const metaOf = pageMeta({
  title: "FAQ",
  description:
    "Questions about hosted mining, deposits, fees, withdrawals and checking the numbers, with answers that are exact. Search them or link to one.",
  path: "/faq",
});

export function meta(page: Route.MetaArgs) {
  return [...metaOf(page), ...faqPage(page.loaderData?.entries ?? [])];
}

/** All questions with their answers for search engines (schema.org), whatever is searched for. */
function faqPage(entries: FaqEntry[]): MetaDescriptor[] {
  if (entries.length === 0) return [];
  const mainEntity = entries.map(({ question, answer }) => ({
    "@type": "Question",
    name: question,
    acceptedAnswer: { "@type": "Answer", text: plainText(parseFormatted(answer)) },
  }));
  return [
    {
      "script:ld+json": { "@context": "https://schema.org", "@type": "FAQPage", mainEntity },
    },
  ];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const search = (new URL(request.url).searchParams.get("q") ?? "").trim().slice(0, 200);
  const entries = await listFaqEntries(context.get(appContext).db);
  return { search, entries, found: searchFaq(entries, search) };
}

export default function Faq({ loaderData: { search, entries, found } }: Route.ComponentProps) {
  const isSearched = search !== "";
  const groups = groupsOf(entries, found);
  return (
    <SitePage title="FAQ" lead="Frequent questions, with exact answers.">
      <div className={styles.columns}>
        <div className={styles.questions}>
          {/* biome-ignore lint/a11y/useSemanticElements: not every browser and linter knows the search element yet */}
          <form
            role="search"
            method="get"
            action="/faq"
            id="faq-search"
            className={styles.search}
            data-faq-search
          >
            <TextField
              label="Search the questions"
              type="search"
              name="q"
              defaultValue={search}
              maxLength={200}
              autoComplete="off"
            />
            <Button type="submit">Search</Button>
          </form>
          <p className={styles.found} role="status" data-faq-found>
            {isSearched ? countFound(found, entries.length) : null}
          </p>
          {groups.map(({ group, isFound, questions }) => (
            <section
              key={group}
              className={styles.group}
              aria-labelledby={`group-${group}`}
              hidden={!isFound}
              data-faq-group
            >
              <h2 id={`group-${group}`}>{faqGroups[group]}</h2>
              {questions.map(({ slug, question, answer, synonyms, at }) => (
                <Question
                  key={slug}
                  slug={slug}
                  question={question}
                  answer={answer}
                  synonyms={synonyms}
                  group="faq"
                  open={isSearched && found.places.length === 1 && found.places[0] === at}
                  hidden={!found.places.includes(at)}
                />
              ))}
            </section>
          ))}
          {isSearched ? (
            <p className={styles.more}>
              <Link to="/faq">Show all questions</Link>
            </p>
          ) : null}
        </div>
        <aside className={styles.aside} aria-label="More help">
          <nav aria-label="Questions about" className={styles.contents}>
            <ul>
              {groups.map(({ group }) => (
                <li key={group}>
                  <a href={`#group-${group}`}>{faqGroups[group]}</a>
                </li>
              ))}
              <li>
                <Link to="/glossary">Glossary: the words of mining</Link>
              </li>
            </ul>
          </nav>
          <div className={styles.ask}>
            <h2>Not answered here?</h2>
            <p>A person reads what you write. What you searched for becomes the subject.</p>
            <Button type="submit" form="faq-search" formAction="/contact" look="quiet">
              Write to us
            </Button>
          </div>
          <Tour />
        </aside>
      </div>
    </SitePage>
  );
}

/** The headings that have questions, each question with its place among all. */
function groupsOf(entries: FaqEntry[], { places }: Found) {
  const placed = entries.map((entry, at) => ({ ...entry, at }));
  return (Object.keys(faqGroups) as FaqGroup[])
    .map((group) => ({ group, questions: placed.filter((entry) => entry.group === group) }))
    .filter(({ questions }) => questions.length > 0)
    .map((each) => ({ ...each, isFound: each.questions.some(({ at }) => places.includes(at)) }));
}
