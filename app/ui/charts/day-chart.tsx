import styles from "./day-chart.module.css";
import { niceAbove } from "./nice-above.ts";

export interface Series {
  name: string;
  /** One for each day; null: nothing is known of it. */
  values: (number | null)[];
  line: "first" | "second" | "third" | "fourth";
}

interface DayChartProps {
  /** What is drawn, for readers who cannot see it; the figures are in a table next to it. */
  label: string;
  days: string[];
  series: Series[];
  /** How a figure of the scale is written. */
  write: (value: number) => string;
  /** The day that is marked, such as today. */
  mark?: string;
}

const width = 720;
const height = 180;

/**
 * Figures by UTC day as lines, each with its own colour and stroke. Drawn on the server, still without JavaScript. Where there
 * is less room the drawing gets narrower and not lower: its words stand next to it and keep their size.
 */
export function DayChart({ label, days, series, write, mark }: DayChartProps) {
  const most = Math.max(1, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const top = niceAbove(most);
  // A millionth of a dollar next to a line at zero would say something.
  const isAllZero = series.every(({ values }) => values.every((value) => !value));
  const x = (index: number) => (index / Math.max(1, days.length - 1)) * width;
  const y = (value: number) => height - (value / top) * height;
  const markAt = mark === undefined ? -1 : days.indexOf(mark);
  return (
    <figure className={styles.figure}>
      <div className={styles.plot}>
        <svg
          className={styles.chart}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
        >
          <path
            className={styles.grid}
            d={`M0 0H${width}M0 ${height / 2}H${width}M0 ${height}H${width}`}
          />
          {markAt >= 0 ? <path className={styles.mark} d={`M${x(markAt)} 0V${height}`} /> : null}
          {series.map(({ name, values, line }) => (
            <path
              key={name}
              className={`${styles.line} ${styles[line]}`}
              d={pathOf(values, x, y)}
            />
          ))}
        </svg>
        {isAllZero ? null : (
          <>
            <span className={styles.scale} data-at="top" aria-hidden="true">
              {write(top)}
            </span>
            <span className={styles.scale} data-at="middle" aria-hidden="true">
              {write(top / 2)}
            </span>
          </>
        )}
      </div>
      <div className={styles.ends} aria-hidden="true">
        <span>{days[0]}</span>
        <span>{days.at(-1)}</span>
      </div>
      <figcaption className={styles.legend}>
        {series.map(({ name, line }) => (
          <span key={name} className={styles.key}>
            <svg className={styles.swatch} viewBox="0 0 24 8" aria-hidden="true">
              <path className={`${styles.line} ${styles[line]}`} d="M0 4H24" />
            </svg>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** A line through what is known; a day alone between gaps is a short dash, so that it is seen. */
function pathOf(
  values: (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  let path = "";
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const goesOn = index > 0 && values[index - 1] !== null;
    const isAlone = !goesOn && (values[index + 1] ?? null) === null;
    const at = `${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    path += isAlone ? `M${at}h8` : `${goesOn ? "L" : "M"}${at}`;
  }
  return path;
}
