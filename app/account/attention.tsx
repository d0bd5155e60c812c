import Clock from "lucide-react/icons/clock";
import MailWarning from "lucide-react/icons/mail-warning";
import { Link } from "react-router";
import styles from "./attention.module.css";

interface AttentionProps {
  emailVerified: boolean;
  pendingCount: number;
}

/** What waits for the customer or for us. Nothing at all when nothing does. */
export function Attention({ emailVerified, pendingCount }: AttentionProps) {
  if (emailVerified && pendingCount === 0) return null;
  return (
    <section aria-label="What needs attention">
      <ul className={styles.list}>
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
