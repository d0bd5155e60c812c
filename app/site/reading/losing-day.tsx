import line from "../frame/line-drawing.module.css";
import styles from "./reading-drawings.module.css";

const days = [
  { x: 40, payout: 96, fee: 62, word: "A day that pays" },
  { x: 200, payout: 44, fee: 62, word: "A day that loses" },
];

/** Two days: what the pool paid, and the fee, which does not fall with it. Without figures, on purpose. */
export function LosingDay() {
  return (
    <svg className={line.drawing} viewBox="0 32 340 146" aria-hidden="true">
      <path className={line.fine} d="M16 150h308" />
      {days.map(({ x, payout, fee, word }) => (
        <g key={word}>
          <path className={styles.metalFill} d={`M${x} ${150 - payout}h36v${payout}h-36z`} />
          <path className={styles.cost} d={`M${x + 52} ${150 - fee}h36v${fee}h-36z`} />
          <path
            className={payout > fee ? styles.proof : styles.loss}
            d={`M${x - 8} ${150 - fee}h104`}
            strokeDasharray="3 3"
          />
          <text className={styles.label} x={x + 18} y={150 - payout - 6}>
            paid
          </text>
          <text className={styles.label} x={x + 70} y={150 - fee - 6}>
            fee
          </text>
          <text className={styles.label} x={x + 44} y={170}>
            {word}
          </text>
        </g>
      ))}
    </svg>
  );
}
