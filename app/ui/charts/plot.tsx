import type { ReactNode } from "react";
import styles from "./plot.module.css";

interface PlotProps {
  /** What is drawn, for readers who cannot see it; the figures are in a table next to it. */
  label: string;
  /** Of the drawing's own units. */
  width: number;
  height: number;
  /** Where lines lie under what is drawn, as parts of the height. */
  grid: number[];
  /** What is written at them: the part of the height, and the words. */
  scale: Array<[at: number, words: string]>;
  /** Whether the scale stands beside the drawing: on bars its words would be lost. */
  beside?: boolean;
  /** What the first and the last period are called. */
  ends: (string | undefined)[];
  /** Each series: its picture, with the size of a swatch, and its name. */
  legend: Array<{ name: string; swatch: ReactNode; aside?: ReactNode }>;
  swatchHeight: number;
  children: ReactNode;
}

/**
 * The frame of a chart: what is drawn in it, its scale and its legend. Drawn on the server, still without JavaScript. Where there is less
 * room the drawing gets narrower and not lower: its words stand next to it and keep their size.
 */
export function Plot({ label, width, height, grid, scale, beside, ends, ...props }: PlotProps) {
  return (
    <figure className={beside ? `${styles.figure} ${styles.beside}` : styles.figure}>
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
            d={grid.map((at) => `M0 ${at * height}H${width}`).join("")}
          />
          {props.children}
        </svg>
        {scale.map(([at, words]) => (
          <span
            key={at}
            className={styles.scale}
            style={{ insetBlockStart: `${at * 100}%` }}
            aria-hidden="true"
          >
            {words}
          </span>
        ))}
      </div>
      <div className={styles.ends} aria-hidden="true">
        {[...new Set(ends)].map((end) => (
          <span key={end}>{end}</span>
        ))}
      </div>
      <figcaption className={styles.legend}>
        {props.legend.map(({ name, swatch, aside }) => (
          <span key={name} className={styles.key}>
            <svg viewBox={`0 0 24 ${props.swatchHeight}`} aria-hidden="true">
              {swatch}
            </svg>
            {name}
            {aside}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
