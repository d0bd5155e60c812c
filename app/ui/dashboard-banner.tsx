import Check from "lucide-react/icons/check";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import Sparkle from "lucide-react/icons/sparkle";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useState } from "react";
import type { DashboardBanner as Banner } from "#core/dashboard-banner.ts";
import styles from "./dashboard-banner.module.css";
import { useHydrated } from "./use-hydrated.ts";

const icons = { welcome: Sparkle, notice: TriangleAlert, message: Check };
const words = { welcome: "Welcome", notice: "Warning", message: "Message" };

/**
 * What scrolls above a customer's dashboard. It stops under the pointer, at its button, and altogether for people who
 * want no motion; they read it as a paragraph.
 */
export function DashboardBanner({ banner }: { banner: Banner }) {
  const [paused, setPaused] = useState(false);
  const hydrated = useHydrated();
  const Icon = icons[banner.kind];
  const seconds = Math.max(16, Math.round(banner.text.length * 0.18));
  return (
    <section className={`${styles.banner} ${styles[banner.kind]}`} aria-label={words[banner.kind]}>
      <Icon className={styles.icon} size={18} aria-hidden="true" />
      <div className={styles.window}>
        <div
          className={styles.track}
          data-paused={paused || undefined}
          style={{ animationDuration: `${seconds}s` }}
        >
          <p className={styles.text}>{banner.text}</p>
          <p className={styles.text} aria-hidden="true">
            {banner.text}
          </p>
        </div>
      </div>
      {hydrated ? (
        <button
          type="button"
          className={styles.pause}
          aria-label="Stop the moving text"
          aria-pressed={paused}
          onClick={() => setPaused(!paused)}
        >
          {paused ? <Play size={14} aria-hidden="true" /> : <Pause size={14} aria-hidden="true" />}
        </button>
      ) : (
        <span className={styles.pause} />
      )}
    </section>
  );
}
