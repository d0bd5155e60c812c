import type { ReactNode } from "react";
import styles from "./drawing.module.css";

export type DrawingName =
  | "balance"
  | "block"
  | "furnace"
  | "ledger"
  | "pylon"
  | "rack"
  | "seal"
  | "touchstone";

/** One of our own drawings, in the colour of its surroundings with one line of metal. Says nothing to a screen reader. */
export function Drawing({ name }: { name: DrawingName }) {
  return <Sketch>{drawings[name]}</Sketch>;
}

/** Its frame, for drawings that one page alone has. */
export function Sketch({ children }: { children: ReactNode }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 96 96" aria-hidden="true">
      {children}
    </svg>
  );
}

/** The class of the line of metal. */
export const { metal } = styles;

const drawings: Record<DrawingName, ReactNode> = {
  touchstone: (
    <>
      <path d="M14 60 30 38l34-6 18 16-8 22-40 8z" />
      <path d="m30 38 10 18 34-8M40 56l-6 22" />
      <path className={styles.metal} d="m46 44 12-2.500M45 48l18-3.500M48 51.500l10-2" />
    </>
  ),
  block: (
    <>
      <path d="M48 12 80 30v36L48 84 16 66V30z" />
      <path d="M16 30l32 18 32-18M48 48v36" />
      <path className={styles.metal} d="M25 47l14 8M25 55l14 8" />
      <path d="M57 63l14-8M57 55l14-8" />
    </>
  ),
  furnace: (
    <>
      <path d="M24 84V44c0-14 10-24 24-24s24 10 24 24v40z" />
      <path d="M42 20V8h12v12M18 84h60M24 58h12M60 58h12M24 71h10M62 71h10" />
      <path d="M36 84V64a12 12 0 0 1 24 0v20" />
      <path
        className={styles.metal}
        d="M48 80c-5 0-7-3-7-6 0-5 5-6 5-12 5 3 9 7 9 12 0 3-2 6-7 6z"
      />
    </>
  ),
  ledger: (
    <>
      <path d="M20 14h52a4 4 0 0 1 4 4v60a4 4 0 0 1-4 4H20zM20 14v68M30 14v68" />
      <path d="M38 28h30M38 38h30M38 48h30M38 68h30M58 22v50" />
      <path className={styles.metal} d="M38 58h14M62 58h6" />
    </>
  ),
  rack: (
    <>
      <path d="M22 12h52v72H22zM22 30h52M22 48h52M22 66h52M28 84v5M68 84v5" />
      <path d="M30 21h16M30 39h16M30 57h16M30 75h16" />
      <path className={styles.metal} d="M60 21h6M60 39h6" />
      <path d="M60 57h6M60 75h6" />
    </>
  ),
  seal: (
    <>
      <path d="M36 14h24l22 22v24L60 82H36L14 60V36z" />
      <path className={styles.metal} d="M34 66 48 28l14 38M28 54h40" />
      <path d="M40 21h16l19 19v16L56 75H40L21 56V40z" strokeDasharray="1 4" />
    </>
  ),
  balance: (
    <>
      <path d="M48 14v66M32 84h32M40 84c0-4 16-4 16 0" />
      <path className={styles.metal} d="M18 28h60" />
      <path d="M18 28 8 54h20zM78 28 68 54h20zM8 54c0 7 20 7 20 0M68 54c0 7 20 7 20 0M45 14h6" />
    </>
  ),
  pylon: (
    <>
      <path d="M34 86 44 22V12h8v10l10 64M28 86h40" />
      <path d="M24 32h48l-6-6H30zM20 50h56l-7-6H27z" />
      <path d="M42 36l14 12M54 36 40 48M40 52l18 14M56 52 38 66M37 68l23 18M59 68 36 86" />
      <path d="M24 32v6M72 32v6M20 50v6M76 50v6" />
      <path
        className={styles.metal}
        d="M4 46c8-1 15-4 20-8M92 46c-8-1-15-4-20-8M4 66c6-1 12-5 16-10M92 66c-6-1-12-5-16-10"
      />
    </>
  ),
};
