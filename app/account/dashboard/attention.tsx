import type { ReactNode } from "react";
import { Link } from "react-router";
import { When } from "#app/ui/figures/when.tsx";
import { Clock, Eye, MailWarning, ShieldAlert } from "#app/ui/icons.tsx";
import styles from "./attention.module.css";

interface AttentionProps {
  emailVerified: boolean;
  pendingCount: number;
  /** Until when no money can leave, after a changed way in; null when it can. */
  moneyHeldUntil: Date | null;
  /** Whether there is a second factor, or nothing yet that needs one. */
  isGuarded: boolean;
  /** When our staff looked at the account last, lately, and why. */
  lastView: { startedAt: Date; reason: string } | null;
}

/** What waits for the customer or for us. Nothing at all when nothing does. */
export function Attention(props: AttentionProps) {
  const { emailVerified, pendingCount, moneyHeldUntil, isGuarded, lastView } = props;
  const isCalm = emailVerified && pendingCount === 0 && moneyHeldUntil === null && isGuarded;
  if (isCalm && !lastView) return null;
  return (
    <section aria-label="What needs attention">
      <ul className={styles.list}>
        {lastView ? (
          <Item
            icon={<Eye size={18} aria-hidden="true" />}
            to="/account/security/history"
            way="See the history"
          >
            Our staff looked at your account as you see it: “{lastView.reason}”{" "}
            <When at={lastView.startedAt} />
          </Item>
        ) : null}
        {emailVerified ? null : (
          <Item
            icon={<MailWarning size={18} aria-hidden="true" />}
            to="/verify-email"
            way="Send it again"
          >
            Your e-mail address is not verified. Open the link in the e-mail we sent you.
          </Item>
        )}
        {moneyHeldUntil ? (
          <Item
            icon={<ShieldAlert size={18} aria-hidden="true" />}
            to="/account/security"
            way="See what changed"
          >
            Your sign-in details changed, so withdrawals are paused until{" "}
            <When at={moneyHeldUntil} />.
          </Item>
        ) : null}
        {isGuarded ? null : (
          <Item
            icon={<ShieldAlert size={18} aria-hidden="true" />}
            to="/account/security"
            way="Set up 2FA"
          >
            Your account has no two-factor authentication. Anyone who learns your password could
            sign in.
          </Item>
        )}
        {pendingCount > 0 ? (
          <Item
            icon={<Clock size={18} aria-hidden="true" />}
            to="/account/deposit"
            way={pendingCount === 1 ? "See your deposit" : "See your deposits"}
          >
            {pendingCount === 1
              ? "One deposit is waiting for review. We e-mail you when it is decided."
              : `${pendingCount} deposits are waiting for review. We e-mail you when each is decided.`}
          </Item>
        ) : null}
      </ul>
    </section>
  );
}

function Item(props: { icon: ReactNode; to: string; way: string; children: ReactNode }) {
  const { icon, to, way, children } = props;
  return (
    <li>
      {icon}
      <span>{children}</span>
      <Link to={to}>{way}</Link>
    </li>
  );
}
