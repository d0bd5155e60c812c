import { Check, Circle, Clock, type Icon, X } from "#app/ui/icons.tsx";
import styles from "./status-badge.module.css";

type Tone = "good" | "waiting" | "bad" | "plain";

const icons: Record<Tone, Icon> = { good: Check, waiting: Clock, bad: X, plain: Circle };

const tones: Record<string, Tone> = {
  active: "good",
  approved: "good",
  credited: "good",
  delivered: "good",
  sent: "good",
  verified: "good",
  pending: "waiting",
  queued: "waiting",
  sending: "waiting",
  waiting: "waiting",
  unverified: "waiting",
  failed: "bad",
  rejected: "bad",
  reversed: "bad",
  revoked: "bad",
  expired: "plain",
};

/** A state as a word, an icon and a colour. `tone` is needed only for words that are not known here. */
export function StatusBadge({ status, tone }: { status: string; tone?: Tone }) {
  const shown = tone ?? tones[status.toLowerCase()] ?? "plain";
  const Icon = icons[shown];
  return (
    <span className={`${styles.badge} ${styles[shown]}`}>
      <Icon size={14} strokeWidth={2.25} aria-hidden="true" />
      {status.charAt(0).toUpperCase() + status.slice(1)}
    </span>
  );
}
