import { Button, Loader } from "@mantine/core";
import Menu from "lucide-react/icons/menu";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation } from "react-router";
import { ColourSchemeToggle } from "#app/ui/colour-scheme-toggle.tsx";
import { Logo } from "#app/ui/logo.tsx";
import { delays } from "#core/terms.ts";
import styles from "./layout.module.css";

export function NavigationBar({ siteName }: { siteName: string }) {
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Logo name={siteName} />
        <FirstSecondsSpinner />
        <nav className={styles.links} aria-label="Main">
          <Link to="/faq" className={`${styles.link} ${styles.wide}`}>
            FAQ
          </Link>
          <Link to="/login" className={`${styles.link} ${styles.wide}`}>
            Log in
          </Link>
          <Button component={Link} to="/signup" variant="outline" className={styles.wide}>
            Sign Up
          </Button>
          <ColourSchemeToggle />
          <MobileMenu />
        </nav>
      </div>
    </header>
  );
}

/** A `details` element: it opens without JavaScript too. */
function MobileMenu() {
  const details = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes when the page changes
  useEffect(() => details.current?.removeAttribute("open"), [key]);
  return (
    <details ref={details} className={styles.menu}>
      <summary aria-label="Menu">
        <Menu size={20} aria-hidden="true" />
      </summary>
      <div className={styles.sheet}>
        <Link to="/faq" className={styles.link}>
          FAQ
        </Link>
        <Button component={Link} to="/login" variant="default">
          Log in
        </Button>
        <Button component={Link} to="/signup">
          Sign Up
        </Button>
      </div>
    </details>
  );
}

/** The specification's spinner of the first 3 s, small and in the bar, so that it covers nothing. */
function FirstSecondsSpinner() {
  const [shown, setShown] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setShown(false), delays.navigationSpinnerMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <span className={styles.spinner} aria-hidden="true">
      {shown ? <Loader size={16} color="copper" /> : null}
    </span>
  );
}
