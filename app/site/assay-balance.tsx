import styles from "./assay-balance.module.css";

/** An assay balance in its glass case: ore in one pan, the bead of metal and its weights in the other. */
export function AssayBalance() {
  return (
    <svg className={styles.drawing} viewBox="0 0 480 440" aria-hidden="true">
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
      <path className={styles.fine} d="M68 348V120L240 49l172 71v228M56 112h368" />
      <path className={styles.ground} d="M32 348h416v56H32z" />
      <path d="M32 348h416v56H32zM24 404h432v12H24z" />
      <path className={styles.fine} d="M44 358h392v36H44z" />
      <path className={styles.fine} d="M240 358v36M134 376h12M334 376h12" />
      <path d="M52 416v8M428 416v8" />
    </g>
  );
}

const ticks = Array.from({ length: 21 }, (_, index) => index - 10);

/** The column and the arc of degrees that its pointer moves over. */
function Scale() {
  return (
    <g>
      <path className={styles.ground} d="M216 348l8-16h32l8 16z" />
      <path d="M208 348l12-16h40l12 16M234 332V156h12v176M228 156h24M231 148h18v8h-18z" />
      <path className={styles.fine} d="M240 160v168" />
      <path className={styles.ground} d="M178 262h124v58H178z" />
      <path d="M182 300a150 150 0 0 0 116 0" />
      {ticks.map((tick) => {
        const angle = (tick * 2.1 * Math.PI) / 180;
        const long = tick % 5 === 0;
        const point = (radius: number) =>
          `${(240 + radius * Math.sin(angle)).toFixed(1)} ${(160 + radius * Math.cos(angle)).toFixed(1)}`;
        return (
          <path
            key={tick}
            className={long ? undefined : styles.fine}
            d={`M${point(150)} L${point(long ? 138 : 143)}`}
          />
        );
      })}
      <path className={styles.metal} d="M240 140v152" />
      <circle className={styles.metalDot} cx="240" cy="296" r="3" />
    </g>
  );
}

function Beam() {
  return (
    <g>
      <path className={styles.ground} d="M112 134 234 122h12l122 12-122 14h-12z" />
      <path d="M112 134 234 122h12l122 12-122 14h-12z" />
      <path className={styles.fine} d="M150 134l72-6v12zM330 134l-72-6v12z" />
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
      <path className={styles.fine} d="M112 138 80 262M112 138l32 124M112 138v120" />
      <path className={styles.stone} d="M92 262l4-20 14-12 16 6 8 14-4 12z" />
      <path d="M92 262l4-20 14-12 16 6 8 14-4 12zM96 242l16 6 14-12M112 248l-2 14M112 248l22 2" />
      <path className={styles.metal} d="M101 256l6-3M117 255l9-2M114 240l6-2" />
      <path className={styles.ground} d="M72 262h80c-4 18-76 18-80 0z" />
      <path d="M72 262h80c-4 18-76 18-80 0z" />
      <path className={styles.fine} d="M84 268c14 6 42 6 56 0" />
    </g>
  );
}

function RightPan() {
  return (
    <g>
      <path className={styles.fine} d="M368 138l-32 124M368 138l32 124M368 138v108" />
      <path d="M348 262v-14h12v14M351 248v-5h6v5M363 262v-9h9v9M365.500 253v-4h4v4" />
      <circle className={styles.bead} cx="385" cy="255" r="7" />
      <path className={styles.shine} d="M381 253a5 5 0 0 1 4-3" />
      <path className={styles.ground} d="M328 262h80c-4 18-76 18-80 0z" />
      <path d="M328 262h80c-4 18-76 18-80 0z" />
      <path className={styles.fine} d="M340 268c14 6 42 6 56 0" />
    </g>
  );
}
