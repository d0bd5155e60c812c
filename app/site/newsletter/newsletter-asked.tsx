import { Link } from "react-router";
import { cachedPage } from "#app/plain-page.ts";
import { titled } from "#app/ui/page/page-title.ts";
import { confirmationHours } from "#core/newsletter.ts";
import { retention } from "#core/retention.ts";
import { TextPage } from "../frame/text-page.tsx";

export const handle = cachedPage();

export const meta = titled("Check your inbox");

export default function NewsletterAsked() {
  return (
    <TextPage
      title="Check your inbox"
      lead="We have sent an e-mail with a link. The newsletter starts when you confirm it there."
    >
      <p>
        The link works for {confirmationHours} hours. We delete an address that is not confirmed{" "}
        {retention.unconfirmedSubscriptionDays} days after that.
      </p>
      <p>
        If nothing arrives, check your spam folder, or check the address and{" "}
        <Link to="/newsletter">ask again</Link>.
      </p>
      <p>
        <Link to="/">Back home</Link>
      </p>
    </TextPage>
  );
}
