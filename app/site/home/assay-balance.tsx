import line from "../frame/line-drawing.module.css";
import styles from "./assay-balance.module.css";

/** An assay balance in its glass case: ore in one pan, the bead of metal and its weights in the other. */
export function AssayBalance() {
  return (
    <svg className={line.drawing} viewBox="0 0 480 440" aria-hidden="true" data-balance>
      <Case />
      <Scale />
      <Beam />
      <LeftPan />
      <RightPan />
    </svg>
  );
}

function Case() {
  return (
    <g>
      <path d="M56 348V112L240 36l184 76v236" />
      <path className={line.fine} d="M68 348V120L240 49l172 71v228M56 112h368" />
      <path className={styles.ground} d="M32 348h416v56H32z" />
      <path d="M32 348h416v56H32zM24 404h432v12H24z" />
      <path className={line.fine} d="M44 358h392v36H44z" />
      <path className={line.fine} d="M150 358v36M330 358v36M92 376h10M378 376h10" />
      <Punches />
      <path d="M52 416v8M428 416v8" />
      <path className={line.fine} d={shading} />
    </g>
  );
}

/** Engraver's lines: the sheen of the glass, and the shade beneath the case. */
const shading =
  "M158 226l44-44M158 246l26-26M170 254l10-10M286 214l44-44M304 216l26-26M320 220l8-8M64 429h352M92 433h296M136 437h208";

const stamp = "M5.2 1.2h5.6l4 4v5.6l-4 4H5.2l-4-4V5.2z";

/** The row of punches on the drawer, as an assay office strikes it: maker, metal, office, year. */
function Punches() {
  return (
    <g className={styles.punches} transform="translate(176 364)">
      <path d={`${stamp}`} transform="scale(1.5)" />
      <path d="M37 2h20v20H37z" />
      <path d="M72 2h20v12l-10 8-10-8z" />
      <circle cx="117" cy="12" r="11" />
      <path className={line.metal} d="M7.400 17.400 12 6l4.700 11.400M5.900 13.500h12.300" />
      <path d="M42 16l5-8 5 8zM78 9h8M82 9v7M113 12h8M117 8v8" />
    </g>
  );
}

const ticks = Array.from({ length: 21 }, (_, index) => index - 10);
const pivot = { x: 240, y: 130 };

/** A point of the scale, by its distance from the beam's edge and its angle from the plumb line. */
function onArc(radius: number, degrees: number): string {
  const angle = (degrees * Math.PI) / 180;
  const x = pivot.x + radius * Math.sin(angle);
  return `${x.toFixed(1)} ${(pivot.y + radius * Math.cos(angle)).toFixed(1)}`;
}

/** The outline of the plate that carries the degrees. */
const plate = `M${onArc(146, -26)} A146 146 0 0 0 ${onArc(146, 26)} L${onArc(176, 26)} A176 176 0 0 1 ${onArc(176, -26)}z`;

/** The column, and the plate of degrees that its pointer moves over. */
function Scale() {
  return (
    <g>
      <path d="M208 348l12-14h40l12 14M233 334V158h14v176M227 158h26M231 148h18v10h-18z" />
      <path className={line.fine} d="M237 162v168M243 162v168" />
      <path className={styles.plate} d={plate} />
      {ticks.map((tick) => (
        <path
          key={tick}
          className={tick % 5 === 0 ? undefined : line.fine}
          d={`M${onArc(152, tick * 2.2)} L${onArc(tick % 5 === 0 ? 164 : 159, tick * 2.2)}`}
        />
      ))}
      <path className={line.metal} d={`M240 138 L${onArc(164, 0)}`} />
    </g>
  );
}

function Beam() {
  return (
    <g>
      <path className={styles.ground} d="M112 134 234 122h12l122 12-122 14h-12z" />
      <path d="M112 134 234 122h12l122 12-122 14h-12z" />
      <path className={line.fine} d="M150 134l72-6v12zM330 134l-72-6v12z" />
      <path className={styles.solid} d="m240 122-6 14h12z" />
      <circle cx="112" cy="134" r="4" />
      <circle cx="368" cy="134" r="4" />
      <path d="M240 122V96M232 96h16M236 88h8v8h-8z" />
    </g>
  );
}

function LeftPan() {
  return (
    <g>
      <path className={line.fine} d="M112 138 80 262M112 138l32 124M112 138v120" />
      <path className={styles.stone} d="M92 262l4-20 14-12 16 6 8 14-4 12z" />
      <path d="M92 262l4-20 14-12 16 6 8 14-4 12zM96 242l16 6 14-12M112 248l-2 14M112 248l22 2" />
      <path className={line.metal} d="M101 256l6-3M117 255l9-2M114 240l6-2" />
      <path className={styles.ground} d="M72 262h80c-4 18-76 18-80 0z" />
      <path d="M72 262h80c-4 18-76 18-80 0z" />
      <path className={line.fine} d="M84 268c14 6 42 6 56 0" />
    </g>
  );
}

function RightPan() {
  return (
    <g>
      <path className={line.fine} d="M368 138l-32 124M368 138l32 124M368 138v108" />
      <path d="M348 262v-14h12v14M351 248v-5h6v5M363 262v-9h9v9M365.500 253v-4h4v4" />
      <circle className={styles.bead} cx="385" cy="255" r="7" />
      <path className={styles.shine} d="M381 253a5 5 0 0 1 4-3" />
      <path className={styles.ground} d="M328 262h80c-4 18-76 18-80 0z" />
      <path d="M328 262h80c-4 18-76 18-80 0z" />
      <path className={line.fine} d="M340 268c14 6 42 6 56 0" />
    </g>
  );
}
