import line from "../frame/line-drawing.module.css";
import styles from "./reading-drawings.module.css";

/** Difficulty goes up in steps; what the same machines earn goes down in the same steps. */
export function RisingDifficulty() {
  return (
    <svg className={line.drawing} viewBox="0 0 340 160" aria-hidden="true">
      <path className={line.fine} d="M24 12v120h300" />
      <path d="M24 112h50v-10h50v-16h50v6h50v-20h50v-14h50" />
      <path className={line.metal} d="M24 40h50v8h50v12h50v-5h50v17h50v12h50" />
      <text className={styles.label} x="282" y="50">
        difficulty
      </text>
      <text className={styles.label} x="268" y="104">
        bitcoin a day
      </text>
      <path className={line.fine} d="M74 132v4M124 132v4M174 132v4M224 132v4M274 132v4M324 132v4" />
      <text className={styles.label} x="174" y="152">
        every 2,016 blocks
      </text>
    </svg>
  );
}
