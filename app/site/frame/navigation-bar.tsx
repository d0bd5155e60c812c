import type { CSSProperties } from "react";
import { Link } from "react-router";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { Menu, X } from "#app/ui/icons.tsx";
import { Logo } from "#app/ui/page/logo.tsx";
import { ColourMenu } from "#app/ui/theme/colour-menu.tsx";
import { delays } from "#core/terms.ts";
import styles from "./navigation-bar.module.css";

/** What a first visit looks for, besides the specification's links. */
const more = [
  ["/plans", "Plans"],
  ["/calculator", "Calculator"],
  ["/services#mining", "How it works"],
] as const;

/** The bar of the public site. Nothing in it needs a script but the choice of colours. */
export function NavigationBar({ siteName }: { siteName: string }) {
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Logo name={siteName} />
        <FirstSecondsSpinner />
        <nav className={styles.links} aria-label="Main">
          {more.map(([to, label]) => (
            <Link key={to} to={to} className={`${styles.link} ${styles.widest}`}>
              {label}
            </Link>
          ))}
          <Link to="/faq" className={`${styles.link} ${styles.wide}`}>
            FAQ
          </Link>
          <Link to="/login" className={`${styles.link} ${styles.wide}`}>
            Log in
          </Link>
          <ButtonLink to="/signup" look="outline" className={styles.wide}>
            Sign Up
          </ButtonLink>
          <ColourMenu />
          <MobileMenu />
        </nav>
      </div>
    </header>
  );
}

/** A `details` element: it opens without JavaScript too. app/ui/browser/close-dropdowns.ts closes it. */
function MobileMenu() {
  return (
    <details className={styles.menu} data-dropdown>
      <summary aria-label="Menu">
        <Menu size={20} aria-hidden="true" />
        <X size={20} aria-hidden="true" />
      </summary>
      <div className={styles.sheet}>
        {more.map(([to, label]) => (
          <Link key={to} to={to} className={styles.link}>
            {label}
          </Link>
        ))}
        <Link to="/faq" className={styles.link}>
          FAQ
        </Link>
        <ButtonLink to="/login" look="quiet">
          Log in
        </ButtonLink>
        <ButtonLink to="/signup">Sign Up</ButtonLink>
      </div>
    </details>
  );
}

/**
 * The specification's spinner of the first 3 s, small and in the bar, so that it covers nothing. Style ends
 * it; without JavaScript too.
 */
function FirstSecondsSpinner() {
  const ends = { "--spinner-ends": `${delays.navigationSpinnerMs}ms` } as CSSProperties;
  return <span className={styles.spinner} style={ends} aria-hidden="true" data-spinner />;
}
