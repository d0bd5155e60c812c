import { Link, type MetaDescriptor } from "react-router";
import { keptPage } from "#app/plain-page.ts";
import { pageMeta } from "#app/ui/page-meta.ts";
import { Question } from "#app/ui/question.tsx";
import { countFound } from "#core/faq-search.ts";
import { parseFormatted, plainText } from "#core/formatted-text.ts";
import { appContext } from "#server/app-context.ts";
import { type FaqEntry, listFaqEntries } from "#server/content/queries.ts";
import { searchFaq } from "#server/content/search-faq.ts";
import type { Route } from "./+types/faq";
import styles from "./faq.module.css";
import field from "./field-input.module.css";
import { SitePage } from "./site-page.tsx";
import { Tour } from "./tour.tsx";

export const handle = keptPage("q");

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
  return (
    <SitePage
      width="middle"
      title="FAQ"
      lead="Questions that are asked often, with answers that are exact."
    >
      {/* biome-ignore lint/a11y/useSemanticElements: not every browser and linter knows the search element yet */}
      <form role="search" method="get" action="/faq" className={styles.search} data-faq-search>
        <label>
          Search the questions
          <input
            className={field.input}
            type="search"
            name="q"
            defaultValue={search}
            maxLength={200}
            autoComplete="off"
          />
        </label>
        <button type="submit">Search</button>
      </form>
      <p className={styles.found} role="status" data-faq-found>
        {isSearched ? countFound(found, entries.length) : null}
      </p>
      <div>
        {entries.map(({ slug, question, answer }, at) => (
          <Question
            key={slug}
            slug={slug}
            question={question}
            answer={answer}
            group="faq"
            open={isSearched && found.places.length === 1 && found.places[0] === at}
            hidden={!found.places.includes(at)}
          />
        ))}
      </div>
      <p className={styles.more}>
        {isSearched ? (
          <>
            <Link to="/faq">Show all questions</Link>, or <Link to="/contact">write to us</Link>.
          </>
        ) : (
          <>
            Not answered here? <Link to="/contact">Write to us</Link>.
          </>
        )}
      </p>
      <div className={styles.tour}>
        <Tour />
      </div>
    </SitePage>
  );
}
