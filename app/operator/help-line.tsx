import { useMatches } from "react-router";
import { type ConsoleKey, searchKeys } from "./console-keys.ts";
import styles from "./help-line.module.css";
import { useMay } from "./parts/use-may.ts";

/** The keys of the page at hand, named by its `handle`. Not shown where there is no keyboard to speak of. */
export function HelpLine() {
  const may = useMay();
  const own = useMatches().flatMap(({ handle }) => (handle as { keys?: ConsoleKey[] })?.keys ?? []);
  const keys = [...own, ...searchKeys].filter(({ needs }) => !needs || may(needs));
  return (
    <footer className={styles.line}>
      <h2 className={styles.title}>Keys</h2>
      <ul className={styles.keys}>
        {keys.map(({ key, does }) => (
          <li key={key}>
            <kbd className={styles.key}>{key}</kbd> {does}
          </li>
        ))}
      </ul>
    </footer>
  );
}
