import { Form, Link, useLocation } from "react-router";
import { Search } from "#app/ui/icons.tsx";
import { VisuallyHidden } from "#app/ui/page/visually-hidden.tsx";
import styles from "./search-field.module.css";

/** The search in the head of every page of the console; on a narrow screen a link to its page. */
export function SearchField() {
  // The page of the search has a field of its own.
  if (useLocation().pathname === "/operator/search") return <span />;
  return (
    <div className={styles.place}>
      <Form method="get" action="/operator/search" role="search" className={styles.form}>
        <Search className={styles.icon} size={16} aria-hidden="true" />
        <input
          type="search"
          name="q"
          maxLength={200}
          aria-label="Search the console"
          aria-keyshortcuts="Control+K"
          placeholder="Search"
          autoComplete="off"
          className={styles.input}
          data-key="/"
          data-search
        />
        <span className={styles.key} aria-hidden="true">
          Ctrl K
        </span>
      </Form>
      <Link to="/operator/search" className={styles.link} data-search>
        <Search size={18} aria-hidden="true" />
        <VisuallyHidden>Search the console</VisuallyHidden>
      </Link>
    </div>
  );
}
