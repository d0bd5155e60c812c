import { Form } from "react-router";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import styles from "./security.module.css";

/** Whether a member of staff is mailed each morning what waits for them. */
export function MorningMail({ isOn }: { isOn: boolean }) {
  return (
    <Panel
      title="Morning e-mail"
      aside={<StatusBadge status={isOn ? "on" : "off"} tone={isOn ? "good" : "plain"} />}
    >
      <Form method="post" preventScrollReset className={styles.switch}>
        <p className={styles.words}>
          At 07:00 UTC we e-mail you what waits for you in the console. On days when nothing does,
          we send nothing.
        </p>
        <input type="hidden" name="wanted" value={isOn ? "no" : "yes"} />
        <SubmitButton
          name="intent"
          value="morning-mail"
          look="quiet"
          size="small"
          pendingText="Saving…"
        >
          {isOn ? "Switch it off" : "Switch it on"}
        </SubmitButton>
      </Form>
    </Panel>
  );
}
