import styles from "./day-chart.module.css";
import { lineThrough } from "./line-through.ts";
import { niceAbove } from "./nice-above.ts";
import { Plot } from "./plot.tsx";

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

/** Figures by UTC day as lines, each with its own colour and stroke. */
export function DayChart({ label, days, series, write, mark }: DayChartProps) {
  const most = Math.max(1, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const top = niceAbove(most);
  // A millionth of a dollar next to a line at zero would say something.
  const isAllZero = series.every(({ values }) => values.every((value) => !value));
  const x = (index: number) => (index / Math.max(1, days.length - 1)) * width;
  const y = (value: number) => height - (value / top) * height;
  const markAt = mark === undefined ? -1 : days.indexOf(mark);
  return (
    <Plot
      label={label}
      width={width}
      height={height}
      grid={[0, 0.5, 1]}
      scale={
        isAllZero
          ? []
          : [
              [0, write(top)],
              [0.5, write(top / 2)],
            ]
      }
      ends={[days[0], days.at(-1)]}
      swatchHeight={8}
      legend={series.map(({ name, line }) => ({
        name,
        swatch: <path className={`${styles.line} ${styles[line]}`} d="M0 4H24" />,
      }))}
    >
      {markAt >= 0 ? <path className={styles.mark} d={`M${x(markAt)} 0V${height}`} /> : null}
      {series.map(({ name, values, line }) => (
        <path
          key={name}
          className={`${styles.line} ${styles[line]}`}
          d={lineThrough(values, (value, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`)}
        />
      ))}
    </Plot>
  );
}
