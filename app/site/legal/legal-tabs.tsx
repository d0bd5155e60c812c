import { Link } from "react-router";
import type { LegalId } from "#core/legal/legal-document.ts";
import { legalAddress } from "./legal-address.ts";
import styles from "./legal-tabs.module.css";

/** The specification's three. The cookie policy belongs to the second and has an address of its own. */
const tabs = [
  { id: "terms", label: "Terms & Condition", holds: ["terms"] },
  { id: "privacy", label: "Privacy Policy", holds: ["privacy", "cookies"] },
  { id: "disclaimer", label: "Disclaimer", holds: ["disclaimer"] },
] as const satisfies { id: LegalId; label: string; holds: LegalId[] }[];

const underPrivacy = [
  { id: "privacy", label: "What we keep" },
  { id: "cookies", label: "Cookie Policy" },
] as const;

/** Three links that look like tabs: each text has an address, and needs no script to be opened. */
export function LegalTabs({ shown }: { shown: LegalId }) {
  const open = tabs.find(({ holds }) => holds.some((id) => id === shown));
  return (
    <>
      <nav className={styles.tabs} aria-label="Legal texts">
        {tabs.map((tab) => (
          <Link
            key={tab.id}
            to={legalAddress(tab.id)}
            className={styles.tab}
            data-open={tab === open ? "" : undefined}
            aria-current={tab.id === shown ? "page" : tab === open ? "true" : undefined}
          >
            {tab.label}
          </Link>
        ))}
      </nav>
      {open?.id === "privacy" ? (
        <nav className={styles.parts} aria-label="Privacy">
          {underPrivacy.map(({ id, label }) => (
            <Link
              key={id}
              to={legalAddress(id)}
              className={styles.part}
              aria-current={id === shown ? "page" : undefined}
            >
              {label}
            </Link>
          ))}
        </nav>
      ) : null}
    </>
  );
}
