import type { ReactNode } from "react";
import { metal } from "#app/ui/page/drawing.tsx";

const fanBlades = each(
  7,
  (turn) => `M${around(turn, 8)}Q${around(turn + 0.02, 20)} ${around(turn + 0.11, 30)}`,
);
const strongboxTicks = each(
  12,
  (turn) => `M${around(turn, 10, 44, 46)}L${around(turn, 13, 44, 46)}`,
);
const recorderTicks = each(
  24,
  (turn, index) => `M${around(turn, index % 6 ? 35 : 32)}L${around(turn, 38)}`,
);
/** What a machine delivered in a day, drawn round: steady, with one dip. */
const recorderTrace = `M${[21, 22, 21, 22, 20, 21, 22, 21, 12, 11, 19, 21, 22, 21, 22, 21, 20, 22]
  .map((radius, hour) => around(hour / 24, radius))
  .join("L")}`;

/** What each cost of mining is drawn as, in a `<Sketch>`. */
export const costDrawings = {
  hall: (
    <>
      <path d="M8 84V40l20-14v14l20-14v14l20-14v14h20v44zM4 84h88" />
      <path d="M16 52h12v10H16zM36 52h12v10H36zM56 52h12v10H56z" />
      <path d="M74 84V60h10v24M16 74h44M16 79h44" />
      <path className={metal} d="M19 57h6M39 57h6M59 57h6" />
      <path d="M76 40V22h8v18" />
    </>
  ),
  fan: (
    <>
      <path d="M12 12h72v72H12z" />
      <circle cx="48" cy="48" r="32" />
      <path d={fanBlades} />
      <circle className={metal} cx="48" cy="48" r="7" />
      <circle className={metal} cx="48" cy="48" r="2" />
      <path d="M18 18h0M78 18h0M18 78h0M78 78h0" strokeWidth="3" />
    </>
  ),
  strongbox: (
    <>
      <path d="M10 16h76v60H10zM20 76v8M76 76v8M18 24h60v44H18z" />
      <path d="M18 34h-4M18 58h-4" strokeWidth="3" />
      <circle cx="44" cy="46" r="13" />
      <path d={strongboxTicks} />
      <path className={metal} d="M44 46l6-6M44 46h0" />
      <path className={metal} d="M68 38v16M64 46h8" />
    </>
  ),
  recorder: (
    <>
      <circle cx="48" cy="48" r="38" />
      <path d={recorderTicks} />
      <circle cx="48" cy="48" r="26" strokeDasharray="1 3" />
      <circle cx="48" cy="48" r="14" strokeDasharray="1 3" />
      <circle cx="48" cy="48" r="3" />
      <path className={metal} d={recorderTrace} />
      <path d="M86 86 62 62" />
    </>
  ),
  callipers: (
    <>
      <path d="M8 24h80v14H8z" />
      <path d="M8 38v34l10-12V38M44 38v22l-10 12V38M44 20h-10v4M50 20v-4H36v4" />
      <path d="M34 38h26v10H44" />
      <path d="M50 24v5M56 24v8M62 24v5M68 24v5M74 24v5M80 24v8" />
      <path className={metal} d="M20 64h12M20 60v8M32 60v8" />
      <path d="M48 48v-4M52 48v-4M56 48v-4" />
    </>
  ),
} satisfies Record<string, ReactNode>;

/** A point on a circle, by its part of a turn from the top. */
function around(turns: number, radius: number, x = 48, y = 48): string {
  const angle = (turns - 0.25) * 2 * Math.PI;
  return `${(x + radius * Math.cos(angle)).toFixed(1)} ${(y + radius * Math.sin(angle)).toFixed(1)}`;
}

function each(count: number, path: (turn: number, index: number) => string): string {
  return Array.from({ length: count }, (_, index) => path(index / count, index)).join("");
}
