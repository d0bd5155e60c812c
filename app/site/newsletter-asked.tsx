import { Link } from "react-router";
import { keptPage } from "#app/plain-page.ts";
import { titled } from "#app/ui/page-title.ts";
import { confirmationHours } from "#core/newsletter.ts";
import { retention } from "#core/retention.ts";
import { TextPage } from "./text-page.tsx";

export const handle = keptPage();

export const meta = titled("Look into your mailbox");

export default function NewsletterAsked() {
  return (
    <TextPage
      title="Look into your mailbox"
      lead="A mail with a link is on its way. The newsletter begins when you have confirmed it there."
    >
      <p>
        The link works for {confirmationHours} hours. An address that is not confirmed is deleted{" "}
        {retention.unconfirmedSubscriptionDays} days after that.
      </p>
      <p>
        If nothing comes, look among the unwanted mail, or check the address and{" "}
        <Link to="/newsletter">ask again</Link>.
      </p>
      <p>
        <Link to="/">Back home</Link>
      </p>
    </TextPage>
  );
}
