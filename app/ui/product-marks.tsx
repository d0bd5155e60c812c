import styles from "./product-marks.module.css";

/** What must be said on every page of a demo or of a test network. Nothing on mainnet. */
export function ProductMarks({ demo, network }: { demo: boolean; network: string }) {
  if (network === "mainnet") return null;
  return (
    <aside className={styles.marks} aria-label="What this site is">
      {demo ? (
        <>
          <strong>Demo</strong> Everybody and everything here is invented.{" "}
        </>
      ) : null}
      <strong>Test network</strong> {network}: do not send real coins.
    </aside>
  );
}
