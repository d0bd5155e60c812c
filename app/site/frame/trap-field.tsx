import styles from "./trap-field.module.css";

/** A field that people neither see nor reach: what fills it is a program. */
export function TrapField({ id }: { id: string }) {
  return (
    <div className={styles.trap} aria-hidden="true">
      <label htmlFor={id}>Leave this empty</label>
      <input id={id} name="website" tabIndex={-1} autoComplete="off" defaultValue="" />
    </div>
  );
}
