import { Link } from "react-router";
import { Logo } from "#app/ui/logo.tsx";
import { terms } from "#core/terms.ts";
import styles from "./layout.module.css";

const columns = [
  {
    title: "Site",
    links: [
      ["/", "Home"],
      ["/about", "About"],
      ["/services", "Services"],
      ["/contact", "Contact"],
      ["/faq", "FAQ"],
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
      ["/terms#privacy", "Privacy Policy"],
      ["/terms#terms", "Terms of Service"],
      ["/terms#cookies", "Cookie Policy"],
    ],
  },
] as const;

export function Footer({ siteName }: { siteName: string }) {
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.who}>
          <Logo name={siteName} />
          <p className={styles.about}>
            Every figure that can be traced carries a stamp. The stamp opens its evidence.
          </p>
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
            </ul>
          </nav>
        ))}
      </div>
      <div className={styles.law}>
        <p>
          {siteName} is for people who are {terms.minimumAge} or older. It is not available to US
          residents.
        </p>
      </div>
    </footer>
  );
}
