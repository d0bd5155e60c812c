import { useState } from "react";
import { Pause, Play } from "#app/ui/icons.tsx";
import styles from "./marquee.module.css";

/**
 * A line that scrolls. It rests under the pointer, under the keyboard's focus and by its button, and stands
 * still, in full, for readers who asked for less motion.
 */
export function Marquee({ children }: { children: string }) {
  const [paused, setPaused] = useState(false);
  const Icon = paused ? Play : Pause;
  return (
    <div className={`${styles.band} ${paused ? styles.paused : ""}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: focus pauses the line */}
      <div className={styles.window} tabIndex={0}>
        <div className={styles.track}>
          <span>{children}</span>
          <span aria-hidden="true">{children}</span>
        </div>
      </div>
      <button
        type="button"
        className={styles.pause}
        aria-pressed={paused}
        aria-label="Pause the message"
        onClick={() => setPaused(!paused)}
      >
        <Icon size={16} aria-hidden="true" />
      </button>
    </div>
  );
}
