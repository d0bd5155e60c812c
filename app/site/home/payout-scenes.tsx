import type { ReactNode } from "react";
import { markLetter, markOutline } from "#app/ui/browser/mark.ts";
import line from "../frame/line-drawing.module.css";
import styles from "./payout-scenes.module.css";

export type SceneName = "hall" | "chain" | "weighing" | "ledger" | "stamp";

/** One picture of the way from a payout to a credit. The words next to it say the same. */
export function PayoutScene({ name }: { name: SceneName }) {
  return (
    <svg className={line.drawing} viewBox="0 0 480 280" aria-hidden="true">
      <path className={line.fine} d="M16 256h448" />
      {scenes[name]}
    </svg>
  );
}

const scenes: Record<SceneName, ReactNode> = {
  hall: <Hall />,
  chain: <Chain />,
  weighing: <Weighing />,
  ledger: <Ledger />,
  stamp: <Stamping />,
};

const racks = [40, 144, 248];
const shelves = [60, 106, 152, 198];

/** Racks of machines, one of them the reader's, and the dial that measures what they deliver. */
function Hall() {
  return (
    <g>
      {racks.map((x) => (
        <g key={x} transform={`translate(${x} 0)`}>
          <path d="M0 44h88v204H0zM8 248v8M80 248v8" />
          <path className={line.fine} d="M6 50h76v192H6z" />
          {shelves.map((y) => (
            <Machine key={y} y={y} yours={x === 144 && y === 106} />
          ))}
        </g>
      ))}
      <g transform="translate(402 116)">
        <circle r="46" />
        <circle className={line.fine} r="40" />
        <path d={dialTicks} />
        <path className={line.metal} d="M0 0 20 -26" />
        <circle className={styles.solidMetal} r="4" />
        <path d="M0 46v94M-22 140h44" />
        <path className={line.fine} d="M-14 16h28M-9 22h18" />
      </g>
    </g>
  );
}

function Machine({ y, yours }: { y: number; yours: boolean }) {
  return (
    <g transform={`translate(11 ${y})`} className={yours ? line.metal : undefined}>
      <path className={yours ? styles.tinted : undefined} d="M0 0h66v34H0z" />
      <g className={yours ? undefined : line.fine}>
        <circle cx="17" cy="17" r="12" />
        <circle cx="45" cy="17" r="12" />
        <path d={`${blades(17, 17)}${blades(45, 17)}`} />
        <path d="M61 8v18" />
      </g>
    </g>
  );
}

/** Blocks of the chain, the newest in metal, and the payment of the pool that anyone can look up. */
function Chain() {
  return (
    <g>
      {[30, 122, 214].map((x, index) => (
        <g
          key={x}
          transform={`translate(${x} 122)`}
          className={index === 2 ? line.metal : undefined}
        >
          <path
            className={index === 2 ? styles.tinted : undefined}
            d="M0 20 38 0l38 20v44L38 84 0 64z"
          />
          <path d="M0 20l38 20 38-20M38 40v44" />
          <path className={index === 2 ? undefined : line.fine} d={cubeLines} />
        </g>
      ))}
      <path d="M106 164h16M198 164h16" />
      <path className={line.fine} d="M68 206v50M160 206v50M252 206v50" />
      <path className={line.metal} d="M290 150h20c12 0 12-40 24-40h10" />
      <path className={line.metal} d="m338 104 8 6-8 6" />
      <path className={styles.paper} d="M352 44h96v176l-12-8-12 8-12-8-12 8-12-8-12 8-12-8-12 8z" />
      <path d="M352 44h96v176l-12-8-12 8-12-8-12 8-12-8-12 8-12-8-12 8z" />
      <path className={line.fine} d="M366 66h40M366 80h68M366 122h68M366 134h68M366 146h44" />
      <path className={line.metal} d="M366 100h52" />
      <path className={line.metal} d={markOutline} transform="translate(414 162) scale(1.25)" />
      <path className={line.metal} d={markLetter} transform="translate(414 162) scale(1.25)" />
    </g>
  );
}

/** The balance: the payout in one pan, the shares it is divided into in the other. */
function Weighing() {
  return (
    <g>
      <path d="M196 256l10-14h68l10 14M234 242V64h12v178M228 64h24M240 64V40" />
      <path className={line.fine} d="M237 70v166M243 70v166" />
      <circle cx="240" cy="36" r="5" />
      <path className={styles.paper} d="M84 70 234 60h12l150 10-150 12h-12z" />
      <path d="M84 70 234 60h12l150 10-150 12h-12z" />
      <path className={line.metal} d="M240 82v66" />
      <path d={arcTicks} />
      <path d="M196 140a62 62 0 0 0 88 0" />
      <path className={line.fine} d="M84 72 44 190M84 72l40 118M396 72l-40 118M396 72l40 118" />
      <path className={styles.tinted} d="M58 186v-28h52v28z" />
      <path className={line.metal} d="M58 186v-28l8-8h52l-8 8H58M110 186v-28M118 150v28l-8 8" />
      <path d="M36 190h96c-5 22-91 22-96 0zM348 190h96c-5 22-91 22-96 0z" />
      <path className={line.fine} d="M52 200c18 6 46 6 64 0M364 200c18 6 46 6 64 0" />
      <g className={line.metal}>
        <path
          className={styles.tinted}
          d="M366 190v-12h12v12zM382 190v-20h12v20zM398 190v-28h12v28z"
        />
        <path d="M366 190v-12h12v12zM382 190v-20h12v20z" />
      </g>
      <path d="M398 190v-28h12v28zM414 190v-8h10v8z" />
    </g>
  );
}

const rows = [92, 116, 140, 164, 188, 212];

/** The open ledger: two columns, every line balanced, one of them the reader's. */
function Ledger() {
  return (
    <g>
      <path
        className={styles.paper}
        d="M240 56c-40-14-120-14-196-4v188c76-10 156-10 196 4 40-14 120-14 196-4V52c-76-10-156-10-196 4z"
      />
      <path d="M240 56c-40-14-120-14-196-4v188c76-10 156-10 196 4 40-14 120-14 196-4V52c-76-10-156-10-196 4zM240 56v188" />
      <path d="M44 60H34v190c80-10 160-8 206 2 46-10 126-12 206-2V60h-10" />
      <path
        className={line.fine}
        d="M150 60v176M196 58v178M346 58v178M392 62v174M232 64v174M248 64v174"
      />
      {rows.map((y) => (
        <path key={y} className={line.fine} d={`M56 ${y}h168M256 ${y}h168`} />
      ))}
      <path d="M60 76h56M256 76h44M60 108h70M60 132h52M262 108h64M262 156h50M262 180h66M60 180h60M60 204h44" />
      <path d="M156 108h30M202 132h22M156 180h30M352 108h30M352 180h30M202 204h22" />
      <path className={styles.band} d="M256 124h168v16H256z" />
      <path className={line.metal} d="M262 132h56M352 132h34M398 132h20" />
    </g>
  );
}

/** The punch above the plate it has struck. */
function Stamping() {
  return (
    <g>
      <path className={styles.paper} d="M84 178h312l20 50H64z" />
      <path d="M84 178h312l20 50H64zM64 228v14h352v-14" />
      <path className={line.fine} d="M94 186h292l14 34H80z" />
      <text className={styles.figure} x="112" y="211">
        0.00004190
      </text>
      <g className={styles.struck} transform="translate(286 187) scale(2.6 1.6)">
        <path d={markOutline} />
        <path d={markLetter} />
      </g>
      <g transform="translate(307 0)">
        <path className={styles.paper} d="M-16 150v-52l-8-12V46h48v40l-8 12v52z" />
        <path d="M-16 150v-52l-8-12V46h48v40l-8 12v52zM-24 86h48M-16 98h32M-24 46l6-12h36l6 12" />
        <path
          className={line.fine}
          d="M-16 56v22M-8 56v22M0 56v22M8 56v22M16 56v22M-8 106v36M8 106v36"
        />
        <path className={line.metal} d="M0 160v10M-14 160l-6 8M14 160l6 8" />
      </g>
      <path
        className={line.fine}
        d="M110 70h104M110 86h84M110 102h96M110 118h60M98 54h132v80H98z"
      />
      <path className={line.metal} d="M214 102h16c30 0 44 78 66 88" strokeDasharray="2 5" />
    </g>
  );
}

/** Seven blades of a fan. */
function blades(x: number, y: number): string {
  return Array.from({ length: 7 }, (_, index) => {
    const a = (index / 7) * 2 * Math.PI;
    const at = (r: number, angle: number) =>
      `${(x + r * Math.cos(angle)).toFixed(1)} ${(y + r * Math.sin(angle)).toFixed(1)}`;
    return `M${at(3, a)}Q${at(7, a + 0.15)} ${at(11, a + 0.75)}`;
  }).join("");
}

const dialTicks = ticks({ count: 11, from: -210, to: 30, inner: 32, outer: 38 });
const arcTicks = `${ticks({ count: 9, from: 50, to: 130, inner: 56, outer: 62, cx: 240, cy: 96 })}`;
const cubeLines = "M8 32l22 12M8 42l22 12M46 54l22-12M46 64l22-12";

function ticks(scale: {
  count: number;
  from: number;
  to: number;
  inner: number;
  outer: number;
  cx?: number;
  cy?: number;
}): string {
  const { count, from, to, inner, outer, cx = 0, cy = 0 } = scale;
  return Array.from({ length: count }, (_, index) => {
    const angle = ((from + ((to - from) * index) / (count - 1)) * Math.PI) / 180;
    const at = (r: number) =>
      `${(cx + r * Math.cos(angle)).toFixed(1)} ${(cy + r * Math.sin(angle)).toFixed(1)}`;
    return `M${at(inner)}L${at(outer)}`;
  }).join("");
}
