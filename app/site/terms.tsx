import { titled } from "#app/ui/page-title.ts";
import { terms } from "#core/terms.ts";
import { TextPage } from "./text-page.tsx";

export const meta = titled("Terms");

export default function Terms() {
  return (
    <TextPage title="Terms" lead="What you agree to when you open an account.">
      <h2 id="terms">Terms &amp; Condition</h2>
      <ul>
        <li>You must be at least {terms.minimumAge} years old.</li>
        <li>The service is not available to US residents.</li>
      </ul>
      <p>The full terms will stand here before the service opens to the public.</p>
      <h2 id="privacy">Privacy Policy</h2>
      <p>
        Your password is kept only as a hash. Payment slips are stored privately and are shown to
        you and to the staff who review them, nobody else. The full policy will stand here.
      </p>
      <h2 id="cookies">Cookie Policy</h2>
      <p>
        This site sets the cookies that keep you signed in and that carry a message from one page to
        the next. It sets none to follow you.
      </p>
      <h2 id="disclaimer">Disclaimer</h2>
      <p>
        The value of cryptocurrencies changes, and mining can cost more than it brings. Nothing on
        this site is a promise of earnings or advice to invest.
      </p>
    </TextPage>
  );
}
