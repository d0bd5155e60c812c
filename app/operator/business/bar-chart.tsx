import { useId } from "react";
import { niceAbove } from "#app/ui/charts/nice-above.ts";
import { Plot } from "#app/ui/charts/plot.tsx";
import { VisuallyHidden } from "#app/ui/page/visually-hidden.tsx";
import styles from "./bar-chart.module.css";

export const fills = ["solid", "hatched", "lined", "dotted", "crossed", "barred"] as const;
export type Fill = (typeof fills)[number];

export interface BarSeries {
  name: string;
  fill: Fill;
  /** One for each period; what is below zero hangs below the line. */
  values: number[];
  /** Series of the same place are stacked; others stand beside each other. */
  place: number;
}

interface BarChartProps {
  /** What is drawn, for readers who cannot see it; the figures are in the table on the same page. */
  label: string;
  /** What the periods are called, the first and the last of which are written. */
  periods: string[];
  series: BarSeries[];
  /** How a figure of the scale is written. */
  write: (value: number) => string;
}

const width = 720;
const height = 200;

/** Figures by period as bars, each series with its own colour and pattern. */
export function BarChart({ label, periods, series, write }: BarChartProps) {
  const id = useId();
  const stacks = stack(series, periods.length);
  const top = niceAbove(Math.max(0, ...stacks.map(({ to }) => to)));
  const lowest = Math.min(0, ...stacks.map(({ from }) => from));
  const bottom = lowest === 0 ? 0 : -niceAbove(-lowest);
  // Millionths of a dollar beside bars of nothing would say something.
  const isAllZero = stacks.every(({ from, to }) => from === to);
  const y = (value: number) => ((top - value) / (top - bottom)) * height;
  const places = Math.max(...series.map(({ place }) => place)) + 1;
  const slot = width / Math.max(1, periods.length);
  const bar = Math.min(48, (slot * 0.76) / places);
  const low = bottom < 0 ? 1 : 0.5;
  const look = (fill: Fill) => ({
    className: `${styles.bar} ${styles[fill]}`,
    fill: `url(#${id}${fill})`,
  });
  return (
    <>
      <Patterns id={id} />
      <Plot
        label={label}
        width={width}
        height={height}
        grid={[0, low]}
        scale={
          isAllZero
            ? []
            : [
                [0, write(top)],
                [low, write(bottom < 0 ? bottom : top / 2)],
              ]
        }
        beside
        ends={periods.length > 1 ? [periods[0], periods.at(-1)] : periods}
        swatchHeight={12}
        legend={series.map(({ name, fill }) => ({
          name,
          swatch: <rect {...look(fill)} x="1" y="1" width="22" height="10" />,
          aside: <VisuallyHidden>{`, ${fill} bars`}</VisuallyHidden>,
        }))}
      >
        {stacks.map(({ series: { name, fill, place }, index, from, to }) => (
          <rect
            key={`${name} ${index}`}
            {...look(fill)}
            x={(slot * index + (slot - bar * places) / 2 + bar * place).toFixed(1)}
            y={y(to).toFixed(1)}
            width={bar.toFixed(1)}
            height={Math.max(0.6, y(from) - y(to)).toFixed(1)}
          />
        ))}
        <path className={styles.zero} d={`M0 ${y(0)}H${width}`} />
      </Plot>
    </>
  );
}

interface Part {
  series: BarSeries;
  index: number;
  from: number;
  to: number;
}

/** Where each part of each bar begins and ends: above zero from there upwards, below it downwards. */
function stack(series: BarSeries[], periods: number): Part[] {
  return Array.from({ length: periods }, (_, index) => index).flatMap((index) => {
    const ends = new Map<string, number>();
    return series.flatMap((each): Part[] => {
      const value = each.values[index] ?? 0;
      if (value === 0) return [];
      const side = `${each.place} ${value > 0}`;
      const begin = ends.get(side) ?? 0;
      const end = begin + value;
      ends.set(side, end);
      return [{ series: each, index, from: Math.min(begin, end), to: Math.max(begin, end) }];
    });
  });
}

/** Colour does not speak alone: each series has lines or dots of its own. */
function Patterns({ id }: { id: string }) {
  const drawn: Record<Fill, string> = {
    solid: "",
    hatched: "M-2 2L2 -2M0 8L8 0M6 10L10 6",
    lined: "M0 2H8M0 6H8",
    dotted: "M1.5 2h1.2M5.5 6h1.2",
    crossed: "M0 0L8 8M0 8L8 0",
    barred: "M2 0V8M6 0V8",
  };
  return (
    <svg className={styles.patterns} aria-hidden="true">
      <defs>
        {fills.map((fill) => (
          <pattern
            key={fill}
            id={`${id}${fill}`}
            width="8"
            height="8"
            patternUnits="userSpaceOnUse"
          >
            <rect className={`${styles.ground} ${styles[fill]}`} width="8" height="8" />
            <path className={`${styles.strokes} ${styles[fill]}`} d={drawn[fill]} />
          </pattern>
        ))}
      </defs>
    </svg>
  );
}
