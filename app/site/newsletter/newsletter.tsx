import { answerHeaders } from "#app/answer-headers.ts";
import { cachedPage } from "#app/plain-page.ts";
import { Notice } from "#app/ui/page/notice.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { requestSubscription } from "#server/newsletter/request-subscription.ts";
import { takeForm, textOf } from "../contact/contact-answer-of.ts";
import { newsletterSchema } from "../contact/contact-schema.ts";
import { TextPage } from "../frame/text-page.tsx";
import type { Route } from "./+types/newsletter";
import { NewsletterForm } from "./newsletter-form.tsx";

export const handle = cachedPage();
export const headers = answerHeaders;

export const meta = pageMeta({
  title: "Newsletter",
  description:
    "News of the service by e-mail: announcements, changes of terms and fees, and how the mining goes. Ends by one click.",
  path: "/newsletter",
});

/** The answer is the same whether or not an address is subscribed. */
export function action(sent: Route.ActionArgs) {
  return takeForm(sent, newsletterSchema, async ({ db }, value, { form, ...arrival }) => {
    const trap = textOf(form, "website");
    const source = textOf(form, "source");
    await requestSubscription(db, { ...value, ...arrival, trap, source });
    return "/newsletter/asked";
  });
}

export default function Newsletter({ actionData }: Route.ComponentProps) {
  const { errors = {}, problem = null, typed = {} } = actionData ?? {};
  return (
    <TextPage
      title="Newsletter"
      lead="Announcements, changes of terms and fees, and how the mining goes. Nothing else, and never a promise of earnings."
    >
      {problem ? <Notice tone="error">{problem}</Notice> : null}
      <NewsletterForm
        id="newsletter-page"
        label="Email"
        email={typed["email"]}
        error={errors["email"]}
      />
    </TextPage>
  );
}
