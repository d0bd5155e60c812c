import { Link, useLocation } from "react-router";
import { Logo } from "#app/ui/page/logo.tsx";
import { terms } from "#core/terms.ts";
import type { EmbedName } from "#core/text/embeds.ts";
import type { Company } from "#server/content/content.ts";
import { NewsletterForm } from "../newsletter/newsletter-form.tsx";
import styles from "./footer.module.css";
import { PhoneLink } from "./phone-link.tsx";

const columns = [
  {
    title: "Site",
    links: [
      ["/", "Home"],
      ["/about", "About"],
      ["/services", "Services"],
      ["/plans", "Plans"],
      ["/calculator", "Calculator"],
      ["/news", "News"],
      ["/contact", "Contact"],
      ["/faq", "FAQ"],
      ["/glossary", "Glossary"],
    ],
  },
  {
    title: "Check us",
    links: [
      ["/receipt", "Sample receipt"],
      ["/proof", "Daily proof"],
      ["/status", "Status"],
      ["/prices", "Prices"],
      ["/verify-statement", "Check a statement"],
      ["/about#software", "Software"],
    ],
  },
  {
    title: "Your account",
    links: [
      ["/account/dashboard", "Dashboard"],
      ["/account/deposit", "Deposit"],
      ["/account/withdraw", "Withdraw"],
      ["/account/transactions", "Transactions"],
    ],
  },
  {
    title: "The small print",
    links: [
      ["/terms?tab=privacy", "Privacy Policy"],
      ["/terms", "Terms of Service"],
      ["/terms?tab=cookies", "Cookie Policy"],
    ],
  },
] as const;

interface FooterProps {
  siteName: string;
  /** Null: it could not be read. */
  company: Company | null;
  /** The provider's widgets that the operator has switched on. */
  embeds: EmbedName[];
  /** Where the source of this copy can be had, if the operator has said so. */
  sourceUrl: string | null;
}

export function Footer({ siteName, company, embeds, sourceUrl }: FooterProps) {
  const { pathname } = useLocation();
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.who}>
          <Logo name={siteName} />
          <p>Every figure that can be traced carries a stamp. The stamp opens its evidence.</p>
          {company ? <CompanyDetails company={company} /> : null}
          {/* The newsletter's own page has the form already. */}
          {pathname === "/newsletter" ? null : <NewsletterForm />}
        </div>
        {columns.map(({ title, links }) => (
          <nav key={title} className={styles.column} aria-label={title}>
            <h2>{title}</h2>
            <ul>
              {links.map(([to, label]) => (
                <li key={to}>
                  <Link to={to}>{label}</Link>
                </li>
              ))}
              {title === "The small print" && embeds.length > 0 ? (
                <li>
                  <Link to="/embeds">Embedded widgets</Link>
                </li>
              ) : null}
              {title === "The small print" && sourceUrl ? (
                <li>
                  <a href={sourceUrl}>Source code</a>
                </li>
              ) : null}
            </ul>
          </nav>
        ))}
      </div>
      <div className={styles.law}>
        <p>
          {siteName} is for people who are {terms.minimumAge} or older. It is not available to US
          residents. Mining can cost more than it brings.
        </p>
      </div>
    </footer>
  );
}

/** The company in the footer: name, register, address, and how to reach it. What is empty is not shown. */
function CompanyDetails({ company }: { company: Company }) {
  const { name, registration, postalAddress, email, phone, officeHours } = company;
  const said = [name, registration, postalAddress, email, phone, officeHours];
  if (said.every((text) => text === "")) return null;
  return (
    <address className={styles.company}>
      {name ? <strong>{name}</strong> : null}
      {registration ? <span>{registration}</span> : null}
      {postalAddress ? <span>{postalAddress}</span> : null}
      {email ? <a href={`mailto:${email}`}>{email}</a> : null}
      {phone ? <PhoneLink number={phone} /> : null}
      {officeHours ? <span>{officeHours}</span> : null}
    </address>
  );
}
