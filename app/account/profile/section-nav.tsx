import { Link } from "react-router";
import styles from "./profile.module.css";
import { type Section, sections } from "./sections.ts";

const links: Array<{ section: Section | null; name: string; path: string }> = [
  { section: "you", ...sections.you },
  { section: null, name: "Security", path: "/account/security" },
  { section: "emails", ...sections.emails },
  { section: "display", ...sections.display },
  { section: "data", ...sections.data },
];

/** The parts of the profile, one page each; in a row that scrolls where there is no room. */
export function SectionNav({ section }: { section: Section }) {
  return (
    <nav className={styles.sections} aria-label="Profile">
      {links.map((each) => (
        <Link
          key={each.path}
          to={each.path}
          aria-current={each.section === section ? "page" : undefined}
        >
          {each.name}
        </Link>
      ))}
    </nav>
  );
}
