import { data } from "react-router";
import { cachedPage } from "#app/plain-page.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import type { LegalId } from "#core/legal/legal-document.ts";
import { utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import type { Route } from "./+types/terms";
import { ComparisonText } from "./comparison.tsx";
import { Contents } from "./contents.tsx";
import styles from "./legal.module.css";
import { legalAddress } from "./legal-address.ts";
import { LegalTabs } from "./legal-tabs.tsx";
import { LegalText } from "./legal-text.tsx";
import { legalView } from "./legal-view.ts";
import { VersionLine } from "./version-line.tsx";
import { Versions } from "./versions.tsx";

export const handle = cachedPage("tab", "version", "compare");

const descriptions: Record<LegalId, string> = {
  terms:
    "The terms of this service, with every number in them, every earlier version, and what changed.",
  privacy: "What this service keeps of you, why, for how long, and who can see it.",
  disclaimer:
    "What can go wrong: prices, mining, custody, technology, law. No promise of earnings.",
  cookies: "Everything that this site keeps in a browser, by name, purpose and time.",
};

export function loader({ request, context }: Route.LoaderArgs) {
  const { now, config } = context.get(appContext);
  const view = legalView(new URL(request.url).searchParams, utcDay(now()));
  if (!view) throw data(null, { status: 404, statusText: "Not Found" });
  return { view, address: config.appUrl + legalAddress(view.document.id) };
}

export function meta({ loaderData, ...args }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { id, title } = loaderData.view.document;
  return pageMeta({ title, description: descriptions[id], path: legalAddress(id) })(args);
}

/** Terms & Condition, Privacy Policy with the cookie policy, Disclaimer: each at an address of its own. */
export default function Terms({ loaderData: { view, address } }: Route.ComponentProps) {
  const { document, shown, compared } = view;
  const sections = compared
    ? compared.comparison.sections.filter(({ fate }) => fate !== "same")
    : document.sections;
  return (
    <article className={styles.page}>
      <LegalTabs shown={document.id} />
      <h1 className={styles.title}>{document.title}</h1>
      <VersionLine view={view} />
      <p className={styles.printed}>
        {address} · version {shown.version} · SHA-256 {shown.sha256}
      </p>
      <div className={styles.body}>
        <Contents of={sections} />
        <div>
          {compared ? (
            <ComparisonText view={view} compared={compared} />
          ) : (
            <LegalText of={document} />
          )}
          <Versions view={view} />
        </div>
      </div>
    </article>
  );
}
