import Clock from "lucide-react/icons/clock";
import Eye from "lucide-react/icons/eye";
import MailWarning from "lucide-react/icons/mail-warning";
import { Link } from "react-router";
import { When } from "#app/ui/when.tsx";
import styles from "./attention.module.css";

interface AttentionProps {
  emailVerified: boolean;
  pendingCount: number;
  /** When our staff looked at the account last, lately, and why. */
  lastView: { startedAt: Date; reason: string } | null;
}

/** What waits for the customer or for us. Nothing at all when nothing does. */
export function Attention({ emailVerified, pendingCount, lastView }: AttentionProps) {
  if (emailVerified && pendingCount === 0 && !lastView) return null;
  return (
    <section aria-label="What needs attention">
      <ul className={styles.list}>
        {lastView ? (
          <li>
            <Eye size={18} aria-hidden="true" />
            <span>
              Our staff looked at your account as you see it: “{lastView.reason}”{" "}
              <When at={lastView.startedAt} />
            </span>
            <Link to="/account/security/history">See the history</Link>
          </li>
        ) : null}
        {emailVerified ? null : (
          <li>
            <MailWarning size={18} aria-hidden="true" />
            <span>
              Your e-mail address is not verified. Open the link in the mail that we sent you.
            </span>
            <Link to="/verify-email">Send it again</Link>
          </li>
        )}
        {pendingCount > 0 ? (
          <li>
            <Clock size={18} aria-hidden="true" />
            <span>
              {pendingCount === 1
                ? "One deposit is waiting for review. You get a mail when it is decided."
                : `${pendingCount} deposits are waiting for review. You get a mail for each when it is decided.`}
            </span>
            <Link to="/account/deposit">{pendingCount === 1 ? "See it" : "See them"}</Link>
          </li>
        ) : null}
      </ul>
    </section>
  );
}
