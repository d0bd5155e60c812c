import { Link } from "react-router";
import { cachedPage } from "#app/plain-page.ts";
import { titled } from "#app/ui/page/page-title.ts";
import { TextPage } from "../frame/text-page.tsx";

export const handle = cachedPage();

export const meta = titled("The newsletter is confirmed");

export default function NewsletterConfirmed() {
  return (
    <TextPage
      title="The newsletter is confirmed"
      lead="The next issue goes to your inbox. Each issue has a link to unsubscribe with one click."
    >
      <p>
        <Link to="/">Back home</Link>
      </p>
    </TextPage>
  );
}
