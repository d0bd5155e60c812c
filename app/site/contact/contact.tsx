import { Link } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { cachedPage } from "#app/plain-page.ts";
import { Button } from "#app/ui/controls/button.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { contactLimits } from "#core/contact.ts";
import { retention } from "#core/retention.ts";
import { appContext } from "#server/app-context.ts";
import { issueFormToken } from "#server/contact/form-token.ts";
import { sendMessage } from "#server/contact/send-message.ts";
import type { Company } from "#server/content/content.ts";
import { getCompany } from "#server/content/get-company.ts";
import { findSignedInUser } from "#server/identity/sessions/signed-in-user.ts";
import { orElse } from "../frame/or-else.ts";
import { PhoneLink } from "../frame/phone-link.tsx";
import { PageHead } from "../frame/site-page.tsx";
import { TrapField } from "../frame/trap-field.tsx";
import type { Route } from "./+types/contact";
import styles from "./contact.module.css";
import { type FormAnswer, takeForm, textOf } from "./contact-answer-of.ts";
import { contactForm, contactWords } from "./contact-schema.ts";

export const handle = cachedPage("q");
export const headers = answerHeaders;

export const meta = pageMeta({
  title: "Contact",
  description:
    "Write to the people who run the service. A person reads your message and answers by e-mail. Address, phone and office hours.",
  path: "/contact",
});

export async function loader({ url, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  return {
    // What was searched for in the questions, and not found.
    about: (url.searchParams.get("q") ?? "").slice(0, contactLimits.subject),
    company: await orElse(app, getCompany(app.db), null),
    formToken: issueFormToken(app.config.authSecret, app.now()),
  };
}

export function action(sent: Route.ActionArgs) {
  return takeForm(sent, contactForm, async (app, value, { form, ...arrival }) => {
    const user = await findSignedInUser(app, sent.request);
    const { email } = await getCompany(app.db);
    const { reference } = await sendMessage(app, {
      ...value,
      ...arrival,
      formToken: textOf(form, "formToken"),
      proof: textOf(form, "proof"),
      trap: textOf(form, "website"),
      customerId: user?.kind === "customer" ? user.id : null,
      notify: email || null,
    });
    return `/contact/sent?reference=${reference}`;
  });
}

export default function Contact({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <PageHead title="Contact" lead="A person reads your message and answers by e-mail." />
      </header>
      <ContactForm {...loaderData} answer={actionData} />
      <ContactDetails company={loaderData.company} />
    </div>
  );
}

interface ContactFormProps {
  about: string;
  formToken: string;
  answer: FormAnswer | undefined;
}

function ContactForm({ about, formToken, answer }: ContactFormProps) {
  const { errors = {}, problem = null, typed = { subject: about } } = answer ?? {};
  const firstWrong = fields.find((name) => errors[name] !== undefined);
  const field = (name: (typeof fields)[number]) => ({
    name,
    maxLength: contactLimits[name],
    id: `contact-${name}`,
    required: true,
    "data-missing": contactWords[name].missing,
    "data-wrong": contactWords[name].wrong,
    defaultValue: typed[name] ?? "",
    error: errors[name],
    autoFocus: name === firstWrong,
  });
  return (
    <form
      method="post"
      action="/contact"
      className={styles.form}
      noValidate
      data-own-errors
      data-proof-of-work
    >
      {problem ? <Notice tone="error">{problem}</Notice> : null}
      {firstWrong ? (
        <Notice tone="error">Your message was not sent. Please correct the marked fields.</Notice>
      ) : null}
      <div className={styles.pair}>
        <TextField label="Full name" autoComplete="name" {...field("fullName")} />
        <TextField label="Email" type="email" autoComplete="email" {...field("email")} />
      </div>
      <TextField label="Subject" {...field("subject")} />
      <TextArea label="Message" rows={8} {...field("message")} />
      <TrapField id="contact-website" />
      <input type="hidden" name="formToken" value={typed["formToken"] ?? formToken} />
      <input type="hidden" name="proof" value={typed["proof"] ?? ""} />
      <div className={styles.actions}>
        <Button type="submit">Send message</Button>
        <p className={styles.note} data-proof-status role="status" />
      </div>
    </form>
  );
}

const fields = ["fullName", "email", "subject", "message"] as const;

/** Where else the operator can be reached, as far as it is entered, and what happens to a message. */
function ContactDetails({ company }: { company: Company | null }) {
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
