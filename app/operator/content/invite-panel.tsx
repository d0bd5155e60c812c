import { Form, Link } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { useMay } from "../parts/use-may.ts";

/** On a customer's page: asks for a few words about the service, or leads to the invitation that is open. */
export function InvitePanel({
  customerId,
  openId,
}: {
  customerId: string;
  /** The testimonial that is asked for already. */
  openId: string | null;
}) {
  const may = useMay();
  if (!may(openId ? "content/read" : "content/invite-testimonial")) return null;
  return (
    <Panel title="Testimonial">
      {openId ? (
        <Link to={`/operator/content/testimonials/${openId}`}>See what was asked and answered</Link>
      ) : (
        <Form
          method="post"
          action={`/operator/content/invite/${customerId}`}
          className={layout.form}
        >
          <TextArea
            name="invitation"
            label="A word to the customer"
            description="Optional, part of the mail. Only the customer writes what is shown, and agrees to it"
            rows={2}
            maxLength={1000}
          />
          <div>
            <SubmitButton look="quiet" pendingText="Asking…">
              Ask for a few words
            </SubmitButton>
          </div>
        </Form>
      )}
    </Panel>
  );
}
