import { InlineScript } from "#app/ui/browser/inline-script.tsx";
import { Pause, Play } from "#app/ui/icons.tsx";
import { EmbedSlot } from "#app/ui/market/embed-slot.tsx";
import { PriceFigure } from "#app/ui/market/price-figure.tsx";
import { newestAge, priceState, pricesStatus } from "#app/ui/market/price-words.ts";
import { VisuallyHidden } from "#app/ui/page/visually-hidden.tsx";
import { type PriceMessage, tapeAssets } from "#core/price.ts";
import type { EmbedName } from "#core/text/embeds.ts";
import styles from "./ticker-tape.module.css";

interface TickerTapeProps {
  prices: PriceMessage[];
  /** The provider's widgets that the operator has switched on. */
  embeds: EmbedName[];
}

/**
 * The prices at the top of every public page, each with its evidence behind it. Where all fit they do not move;
 * elsewhere they pass by slowly, rest under the pointer, under the keyboard's focus and by the button, and
 * can be moved by hand where less motion is wanted.
 */
export function TickerTape({ prices, embeds }: TickerTapeProps) {
  const shown = prices.filter(({ asset }) => asset !== "USDT");
  const ageMs = newestAge(shown);
  const simulated = shown.some((price) => price.simulated);
  return (
    <aside className={styles.tape} aria-label="Prices">
      <EmbedSlot name="ticker-tape" switchedOn={embeds} className={styles.slot}>
        <div className={styles.inner} data-tape>
          <a href="/prices" className={styles.status} data-state={priceState(ageMs)}>
            <span data-simulated={simulated} data-otherwise="Prices">
              {simulated ? "Simulated" : "Prices"}
            </span>{" "}
            <span data-prices-status={priceState(ageMs)} className={styles.age}>
              {pricesStatus(ageMs)}
            </span>
          </a>
          <div className={styles.window}>
            <div className={styles.track}>
              <Figures prices={shown} />
              <Figures prices={shown} copy />
            </div>
          </div>
          <label className={styles.pause}>
            <input type="checkbox" />
            <VisuallyHidden>Pause the prices</VisuallyHidden>
            <Pause size={14} aria-hidden="true" />
            <Play size={14} aria-hidden="true" />
          </label>
          <InlineScript text={rememberPause} />
        </div>
      </EmbedSlot>
    </aside>
  );
}

/** The second row follows the first, so that the passing has no end; it is read once. */
function Figures({ prices, copy = false }: { prices: PriceMessage[]; copy?: boolean }) {
  return (
    <ul className={styles.figures} aria-hidden={copy || undefined}>
      {tapeAssets.map((asset) => (
        <li key={asset}>
          <PriceFigure
            asset={asset}
            price={prices.find((price) => price.asset === asset)}
            copy={copy}
          />
        </li>
      ))}
    </ul>
  );
}

/**
 * Leaves the tape as still as the reader left it on the page before, from its first frame on, for as long as the tab is open.
 * In a browser that keeps nothing for this site it pauses for the page, by style alone.
 */
const rememberPause = `
{
  const pause = document.currentScript.parentElement.querySelector("input");
  try {
    pause.checked = sessionStorage.getItem("assay-tape-paused") === "yes";
    pause.addEventListener("change", () => {
      sessionStorage.setItem("assay-tape-paused", pause.checked ? "yes" : "no");
    });
  } catch {}
}
`.trim();
