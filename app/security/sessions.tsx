import { Form } from "react-router";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import styles from "./security.module.css";

interface SessionsProps {
  sessions: Array<{
    id: string;
    browser: string;
    location: string | null;
    createdAt: Date;
    lastUsedAt: Date;
  }>;
  /** The one that this page is read in. */
  here: string;
}

/** Where the account is open, with a way to sign each out. */
export function Sessions({ sessions, here }: SessionsProps) {
  const sorted = sessions.toSorted((a, b) => Number(b.id === here) - Number(a.id === here));
  return (
    <Panel
      title="Where you are signed in"
      aside={
        sessions.length > 1 ? (
          <Form method="post" preventScrollReset>
            <SubmitButton name="intent" value="end-others" look="quiet" size="small">
              Sign out everywhere else
            </SubmitButton>
          </Form>
        ) : null
      }
      flush
    >
      <ul className={layout.plain}>
        {sorted.map(({ id, browser, location, createdAt, lastUsedAt }) => (
          <li key={id} className={styles.entry}>
            <div className={styles.words}>
              <div className={styles.name}>
                {browser}
                {id === here ? <StatusBadge status="this one" tone="good" /> : null}
              </div>
              <div className={styles.second}>
                From {location ?? "an unknown address"}, since <When at={createdAt} />
                {id === here ? null : (
                  <>
                    , last used <When at={lastUsedAt} />
                  </>
                )}
              </div>
            </div>
            {id === here ? null : (
              <Form method="post" preventScrollReset>
                <input type="hidden" name="id" value={id} />
                <SubmitButton
                  name="intent"
                  value="end"
                  look="quiet"
                  size="small"
                  aria-label={`Sign out ${browser}`}
                >
                  Sign out
                </SubmitButton>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
