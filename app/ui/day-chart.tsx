import styles from "./day-chart.module.css";

export interface Series {
  name: string;
  /** One for each day; null: nothing is known of it. */
  values: (number | null)[];
  line: "first" | "second" | "third" | "fourth";
}

interface DayChartProps {
  /** What is drawn, for who cannot see it; the figures stand in a table beside it. */
  label: string;
  days: string[];
  series: Series[];
  /** How a figure of the scale is written. */
  write: (value: number) => string;
  /** The day that is marked, such as today. */
  mark?: string;
}

const width = 720;
const height = 220;
const edge = { left: 4, right: 4, top: 18, bottom: 22 };

/** Figures by UTC day as lines, each with its own colour and stroke. Drawn on the server, still without JavaScript. */
export function DayChart({ label, days, series, write, mark }: DayChartProps) {
  const most = Math.max(1, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const top = niceAbove(most);
  const x = (index: number) =>
    edge.left + (index / Math.max(1, days.length - 1)) * (width - edge.left - edge.right);
  const y = (value: number) =>
    height - edge.bottom - (value / top) * (height - edge.top - edge.bottom);
  const markAt = mark === undefined ? -1 : days.indexOf(mark);
  return (
    <figure className={styles.figure}>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={label}
      >
        {[0, 0.5, 1].map((part) => (
          <line
            key={part}
            className={styles.grid}
            x1={edge.left}
            x2={width - edge.right}
            y1={y(top * part)}
            y2={y(top * part)}
          />
        ))}
        {markAt >= 0 ? (
          <line
            className={styles.mark}
            x1={x(markAt)}
            x2={x(markAt)}
            y1={edge.top}
            y2={height - edge.bottom}
          />
        ) : null}
        {series.map(({ name, values, line }) => (
          <path key={name} className={`${styles.line} ${styles[line]}`} d={pathOf(values, x, y)} />
        ))}
        {[0.5, 1].map((part) => (
          <text key={part} className={styles.scale} x={edge.left} y={y(top * part) - 4}>
            {write(top * part)}
          </text>
        ))}
        <text className={styles.scale} x={edge.left} y={height - 6}>
          {days[0]}
        </text>
        <text className={styles.scale} x={width - edge.right} y={height - 6} textAnchor="end">
          {days.at(-1)}
        </text>
      </svg>
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
    path += isAlone ? `M${at}h3` : `${goesOn ? "L" : "M"}${at}`;
  }
  return path;
}

/** The next of 1, 2, 2.5, 5 times a power of ten. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 2.5, 5, 10].find((each) => each * power >= value) ?? 10;
  return step * power;
}
