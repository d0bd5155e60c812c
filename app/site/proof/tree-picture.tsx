import styles from "./proof.module.css";

interface Box {
  at: [x: number, y: number];
  words: string;
  amount: string;
  /** On the way from the own entry to the top. */
  own?: boolean;
}

const width = 74;
const height = 38;
const boxes: Box[] = [
  { at: [123, 4], words: "All", amount: "12.8", own: true },
  { at: [44, 76], words: "Sum", amount: "0.8", own: true },
  { at: [203, 76], words: "Sum", amount: "12" },
  { at: [4, 148], words: "You", amount: "0.3", own: true },
  { at: [83, 148], words: "?", amount: "0.5" },
  { at: [163, 148], words: "?", amount: "3" },
  { at: [242, 148], words: "?", amount: "9" },
];
/** From a box to the one above it. */
const lines: [from: number, to: number][] = [
  [3, 1],
  [4, 1],
  [5, 2],
  [6, 2],
  [1, 0],
  [2, 0],
];

/** A tree of four customers, with the way from one's own entry to the sum of all. */
export function TreePicture() {
  return (
    <figure className={styles.example}>
      <svg
        className={styles.tree}
        viewBox="0 0 320 190"
        role="img"
        aria-label="An example: your 0.3 BTC and the 0.5 of another customer are 0.8, and with the 12 of two others 12.8, the sum of all."
      >
        {lines.map(([from, to]) => {
          const [below, above] = [boxes[from], boxes[to]];
          if (!below || !above) return null;
          const way = `M${below.at[0] + width / 2} ${below.at[1]}L${above.at[0] + width / 2} ${above.at[1] + height}`;
          return (
            <path key={way} d={way} className={below.own && above.own ? styles.own : undefined} />
          );
        })}
        {boxes.map(({ at: [x, y], words, amount, own }) => (
          <g key={`${x} ${y}`} className={own ? styles.own : undefined}>
            <rect x={x} y={y} width={width} height={height} rx={6} />
            <text x={x + width / 2} y={y + 16}>
              {words}
            </text>
            <text x={x + width / 2} y={y + 31}>
              {amount} BTC
            </text>
          </g>
        ))}
      </svg>
      <figcaption>An example with invented numbers</figcaption>
    </figure>
  );
}
