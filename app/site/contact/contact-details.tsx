import { Link } from "react-router";
import { retention } from "#core/retention.ts";
import type { Company } from "#server/content/content.ts";
import { PhoneLink } from "../frame/phone-link.tsx";
import styles from "./contact.module.css";

/** Where else the operator can be reached, as far as it is entered, and what happens to a message. */
export function ContactDetails({ company }: { company: Company | null }) {
  return (
    <section className={styles.details} aria-labelledby="contact-details">
      <h2 id="contact-details">{company ? "Contact details" : "What happens to a message"}</h2>
      {company ? <Facts company={company} /> : null}
      <p className={styles.after}>
        We keep your message while we talk about it, and delete it {retention.contactThreadDays}{" "}
        days after the last one. More in the <Link to="/terms?tab=privacy">Privacy Policy</Link>. We
        never ask for your password, nor for a payment before you can withdraw.
      </p>
    </section>
  );
}

function Facts({ company }: { company: Company }) {
  const { name, registration, postalAddress, email, phone, officeHours } = company;
  return (
    <dl className={styles.facts}>
      {name ? (
        <div>
          <dt>Company</dt>
          <dd>{registration ? `${name}\n${registration}` : name}</dd>
        </div>
      ) : null}
      {postalAddress ? (
        <div>
          <dt>Address</dt>
          <dd>{postalAddress}</dd>
        </div>
      ) : null}
      {email ? (
        <div>
          <dt>Email</dt>
          <dd>
            <a href={`mailto:${email}`}>{email}</a>
          </dd>
        </div>
      ) : null}
      {phone ? (
        <div>
          <dt>Phone</dt>
          <dd>
            <PhoneLink number={phone} />
          </dd>
        </div>
      ) : null}
      <div>
        <dt>Office hours</dt>
        <dd>{officeHours || "The operator has not named office hours yet."}</dd>
      </div>
    </dl>
  );
}
