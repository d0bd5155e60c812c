import { cachedPage } from "#app/plain-page.ts";
import { titled } from "#app/ui/page/page-title.ts";
import { retention } from "#core/retention.ts";
import { TextPage } from "../frame/text-page.tsx";

export const handle = cachedPage();

export const meta = titled("You are unsubscribed");

export default function NewsletterUnsubscribed() {
  return (
    <TextPage
      title="You are unsubscribed"
      lead="We send no issue of the newsletter to this address again, except one that is on its way."
    >
      <p>
        We delete the address {retention.endedSubscriptionDays} days from now. We keep only when you
        agreed and when you left, without a name.
      </p>
    </TextPage>
  );
}
