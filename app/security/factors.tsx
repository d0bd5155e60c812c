import type { ReactNode } from "react";
import { Form } from "react-router";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import styles from "./security.module.css";

interface FactorsProps {
  root: string;
  isStaff: boolean;
  /** Whether passkeys can be bound to the site's address. */
  passkeysHere: boolean;
  /** That address. */
  address: string;
  facts: {
    authenticatorSince: Date | null;
    passkeys: Array<{ id: string; name: string; createdAt: Date; lastUsedAt: Date | null }>;
    recoveryCodesLeft: number;
    passwordChangedAt: Date | null;
  };
}

/** The ways in: password, authenticator app, passkeys, recovery codes. */
export function Factors({ root, facts, isStaff, passkeysHere, address }: FactorsProps) {
  const hasMfa = facts.authenticatorSince !== null || facts.passkeys.length > 0;
  return (
    <Panel
      title="Sign-in methods"
      aside={<StatusBadge status={hasMfa ? "2FA on" : "2FA off"} tone={hasMfa ? "good" : "bad"} />}
      flush
    >
      <ul className={layout.plain}>
        <Entry
          name="Password"
          words={
            facts.passwordChangedAt ? (
              <>
                Changed <When at={facts.passwordChangedAt} />
              </>
            ) : (
              "Not changed since you set it"
            )
          }
          acts={<To to={`${root}/password`}>Change password</To>}
        />
        <Authenticator root={root} since={facts.authenticatorSince} />
        {facts.passkeys.map((passkey) => (
          <Entry
            key={passkey.id}
            name={`Passkey: ${passkey.name}`}
            words={
              <>
                Added <When at={passkey.createdAt} />
                {passkey.lastUsedAt ? (
                  <>
                    , last used <When at={passkey.lastUsedAt} />
                  </>
                ) : (
                  ", not used yet"
                )}
              </>
            }
            acts={<Remove intent="remove-passkey" id={passkey.id} of={passkey.name} />}
          />
        ))}
        <Entry
          name={facts.passkeys.length > 0 ? "Another passkey" : "Passkey"}
          words={
            passkeysHere
              ? "Your device's fingerprint, face or PIN, or a security key. Signs you in without a password, and cannot be phished."
              : `Passkeys cannot work at this address (${address}): they need a name and https. An authenticator app does what they do here.`
          }
          acts={passkeysHere ? <To to={`${root}/passkey`}>Add a passkey</To> : null}
        />
        {hasMfa ? <Codes root={root} left={facts.recoveryCodesLeft} /> : null}
      </ul>
      {hasMfa || isStaff ? null : (
        <p className={`${styles.advice} ${styles.second}`}>
          Without two-factor authentication (2FA), anyone who learns your password can sign in. You
          need it to withdraw.
        </p>
      )}
    </Panel>
  );
}

function Authenticator({ root, since }: { root: string; since: Date | null }) {
  const to = `${root}/authenticator`;
  if (!since) {
    return (
      <Entry
        name="Authenticator app"
        words="An app on your phone shows six digits that change every half minute."
        acts={<To to={to}>Set up an app</To>}
      />
    );
  }
  return (
    <Entry
      name="Authenticator app"
      words={
        <>
          Set up <When at={since} />
        </>
      }
      acts={
        <>
          <To to={to}>Move to another app</To>
          <Remove intent="remove-authenticator" of="authenticator app" />
        </>
      }
    />
  );
}

function Codes({ root, left }: { root: string; left: number }) {
  return (
    <Entry
      name="Recovery codes"
      words={
        left === 0
          ? "You have none. Make some now: without them, a lost device locks you out."
          : `${left} of 10 left. Each gets you in once when your device is lost.`
      }
      acts={<To to={`${root}/recovery-codes`}>{left === 0 ? "Make codes" : "Make new codes"}</To>}
    />
  );
}

function Entry({ name, words, acts }: { name: string; words: ReactNode; acts: ReactNode }) {
  return (
    <li className={styles.entry}>
      <div className={styles.words}>
        <div className={styles.name}>{name}</div>
        <div className={styles.second}>{words}</div>
      </div>
      <div className={layout.row}>{acts}</div>
    </li>
  );
}

function To({ to, children }: { to: string; children: string }) {
  return (
    <ButtonLink to={to} look="quiet" size="small">
      {children}
    </ButtonLink>
  );
}

function Remove({ intent, id, of }: { intent: string; id?: string; of: string }) {
  return (
    <Form method="post" preventScrollReset>
      {id ? <input type="hidden" name="id" value={id} /> : null}
      <SubmitButton
        name="intent"
        value={intent}
        look="outline"
        tone="brick"
        size="small"
        aria-label={`Remove ${of}`}
      >
        Remove
      </SubmitButton>
    </Form>
  );
}
