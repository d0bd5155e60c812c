import { Link } from "react-router";
import { keptPage } from "#app/plain-page.ts";
import { titled } from "#app/ui/page-title.ts";
import { TextPage } from "./text-page.tsx";

export const handle = keptPage();

export const meta = titled("The newsletter is confirmed");

export default function NewsletterConfirmed() {
  return (
    <TextPage
      title="The newsletter is confirmed"
      lead="The next issue comes to your mailbox. Each holds a link that ends it, by one click and for good."
    >
      <p>
        <Link to="/">Back home</Link>
      </p>
    </TextPage>
  );
}
