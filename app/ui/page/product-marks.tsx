import { useRouteLoaderData } from "react-router";
import styles from "./product-marks.module.css";

/** What must be said on every page of a demo, a rehearsal or a test network. Nothing on mainnet. */
export function ProductMarks({ demo, network }: { demo: boolean; network: string }) {
  const site = useRouteLoaderData<{ isRehearsal: boolean }>("root");
  if (network === "mainnet") return null;
  return (
    <aside className={styles.marks} aria-label="What this site is">
      {site?.isRehearsal ? (
        <>
          <strong>Rehearsal</strong> The clock, the prices and every coin here are invented.{" "}
        </>
      ) : demo ? (
        <>
          <strong>Demo</strong> Every person and figure here is invented.{" "}
        </>
      ) : null}
      <strong>Test network</strong> {network}: do not send real coins.
    </aside>
  );
}
