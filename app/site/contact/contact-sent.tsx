import { Link } from "react-router";
import { titled } from "#app/ui/page/page-title.ts";
import { isReference } from "#server/contact/thread.ts";
import { SitePage } from "../frame/site-page.tsx";
import type { Route } from "./+types/contact-sent";
import styles from "./contact.module.css";

export const meta = titled("Message sent");

export function loader({ url }: Route.LoaderArgs) {
  const reference = url.searchParams.get("reference");
  return { reference: isReference(reference) ? reference : null };
}

export default function ContactSent({ loaderData: { reference } }: Route.ComponentProps) {
  return (
    <SitePage
      width="narrow"
      title="Your message has arrived"
      lead="A person reads it and answers to your e-mail address."
    >
      <div className={styles.body}>
        {reference ? (
          <p>
            Its reference is <span className={styles.reference}>{reference}</span>. Quote it if you
            ask about it.
          </p>
        ) : null}
        <p>
          A short e-mail that confirms it is on its way; we send at most one a day to the same
          address. If nothing arrives, check your spam folder, or check the address and write again.
        </p>
        <p>
          <Link to="/">Back home</Link>
        </p>
      </div>
    </SitePage>
  );
}
