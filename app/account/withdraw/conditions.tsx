import type { ReactNode } from "react";
import { Link } from "react-router";
import { TimeLeft } from "#app/ui/figures/time-left.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { Circle, CircleCheck } from "#app/ui/icons.tsx";
import layout from "#app/ui/page/layout.module.css";
import { VisuallyHidden } from "#app/ui/page/visually-hidden.tsx";
import { coinWords } from "#core/payments/withdrawal.ts";
import { securityTerms } from "#core/people/security-terms.ts";
import styles from "./withdraw.module.css";
import type { WithdrawData } from "./withdraw-data.ts";

/** Whether a withdrawal can be requested now. */
export function areMet({ hasMfa, moneyHeldUntil, addresses }: WithdrawData): boolean {
  return hasMfa && moneyHeldUntil === null && addresses.length > 0;
}

/** What a withdrawal needs, ticked off, with the moment at which each is met. */
export function Conditions({ data }: { data: WithdrawData }) {
  const { hasMfa, moneyHeldUntil, addresses, coin, now } = data;
  const usable = addresses.filter(({ usableFrom }) => usableFrom <= now);
  const [next] = [...addresses].sort((a, b) => Number(a.usableFrom) - Number(b.usableFrom));
  const back = encodeURIComponent(`/account/withdraw?coin=${coin}`);
  return (
    <ol className={styles.conditions} aria-label="What a withdrawal needs">
      <Condition title="Two-factor authentication" isMet={hasMfa}>
        {hasMfa ? (
          "Set up."
        ) : (
          <>
            Withdrawals need it.{" "}
            <Link to={`/account/security/authenticator?next=${back}`}>
              Set up an authenticator app
            </Link>{" "}
            or <Link to={`/account/security/passkey?next=${back}`}>add a passkey</Link>.
          </>
        )}
      </Condition>
      <Condition
        title={`${securityTerms.changeHoldHours} hours to notice a change`}
        isMet={hasMfa && moneyHeldUntil === null}
      >
        {moneyHeldUntil ? (
          <>
            Your sign-in details changed, so withdrawals are paused until{" "}
            <When at={moneyHeldUntil} plain /> (<TimeLeft until={moneyHeldUntil} now={now} />
            ).
          </>
        ) : hasMfa ? (
          "Nothing changed lately."
        ) : (
          `For your safety, withdrawals open ${securityTerms.changeHoldHours} hours after you set it up.`
        )}
      </Condition>
      <Condition title={`An address for ${coinWords[coin]}`} isMet={usable.length > 0}>
        {usable[0] ? (
          `${usable[0].label} is in your address book.`
        ) : next ? (
          <>
            You can withdraw to {next.label} from <When at={next.usableFrom} plain />. That gives
            you time to notice an address you did not add.
          </>
        ) : hasMfa ? (
          "Add one to your address book on this page. You can withdraw to a new address after 24 hours."
        ) : (
          "You add it to your address book next. You can withdraw to a new address after 24 hours."
        )}
      </Condition>
    </ol>
  );
}

interface ConditionProps {
  title: string;
  isMet: boolean;
  children: ReactNode;
}

function Condition({ title, isMet, children }: ConditionProps) {
  const Icon = isMet ? CircleCheck : Circle;
  return (
    <li className={isMet ? styles.met : styles.unmet}>
      <Icon size={18} aria-hidden="true" />
      <div>
        <strong>{title}</strong>
        <VisuallyHidden>{isMet ? ": done" : ": still to do"}</VisuallyHidden>
        <div className={layout.quiet}>{children}</div>
      </div>
    </li>
  );
}
