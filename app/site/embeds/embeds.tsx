import { redirect } from "react-router";
import { cachedPage } from "#app/plain-page.ts";
import { Button } from "#app/ui/controls/button.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { embedConsentCookie, embedProvider, embeds } from "#core/text/embeds.ts";
import { appContext } from "#server/app-context.ts";
import { TextPage } from "../frame/text-page.tsx";
import type { Route } from "./+types/embeds";
import styles from "./embeds.module.css";

export const handle = cachedPage();

export const meta = pageMeta({
  title: "Embedded widgets",
  description:
    "What this site loads from others when you agree to it, what they learn, and how you choose.",
  path: "/embeds",
});

export function loader({ context }: Route.LoaderArgs) {
  const { embeds: switchedOn } = context.get(appContext).config;
  return { names: switchedOn.names };
}

/** Remembers the choice in the visitor's own browser, and shows the page again on which it was made. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  const choice = form.get("show") === "yes" ? "yes" : "no";
  const cookie = embedConsentCookie(choice);
  return redirect(pageOfThisSite(form.get("back")), { headers: { "Set-Cookie": cookie } });
}

/** A path here, whatever was sent: a link to this form must not lead to another site. */
function pageOfThisSite(wanted: FormDataEntryValue | null): string {
  const here = "http://here.invalid";
  if (typeof wanted !== "string" || !wanted.startsWith("/") || !URL.canParse(wanted, here)) {
    return "/embeds";
  }
  const { origin, pathname, search } = new URL(wanted, here);
  return origin === here && !pathname.startsWith("//") ? pathname + search : "/embeds";
}

export default function Embeds({ loaderData }: Route.ComponentProps) {
  const { names } = loaderData;
  return (
    <TextPage title="Embedded widgets" lead="What this site loads from others, and your say in it.">
      {names.length === 0 ? (
        <p>
          Nothing. Every price, chart and line of news on this site comes from this site's own
          server, and your browser contacts no other.
        </p>
      ) : (
        <>
          <p>
            Prices, charts and news come from this site's own server. If you like, these are shown
            by {embedProvider} instead:
          </p>
          <ul>
            {names.map((name) => (
              <li key={name}>{embeds[name].title}</li>
            ))}
          </ul>
          <p>
            Then your browser loads them from {embedProvider}, which learns your internet address,
            your browser, and this site's name, and may set cookies of its own in its frames. Until
            you agree, nothing is loaded from there. Amounts in your account are never valued with
            its figures.
          </p>
          <Notice tone="info">
            {/* What was chosen is said by the script that reads it. */}
            <span data-embed-choice>
              A script of this page shows the widgets: while none runs here, nothing is loaded,
              whatever was chosen.
            </span>
          </Notice>
          <form method="post" action="/embeds" className={styles.choice}>
            <Button type="submit" name="show" value="yes" look="outline">
              Show {embedProvider}'s widgets
            </Button>
            <Button type="submit" name="show" value="no" look="outline">
              Show this site's own
            </Button>
          </form>
          <p>
            Your choice is kept in a cookie of this site for half a year, and you can change it here
            at any time.
          </p>
        </>
      )}
    </TextPage>
  );
}
