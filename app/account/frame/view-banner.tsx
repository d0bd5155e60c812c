import { Form } from "react-router";
import { When } from "#app/ui/figures/when.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import styles from "./view-banner.module.css";

interface ViewBannerProps {
  view: { customerId: string; reason: string; endsAt: Date };
  name: string;
}

/** On every page of an account that staff look at: whose it is, until when, and the way out. */
export function ViewBanner({ view, name }: ViewBannerProps) {
  return (
    <aside className={styles.banner} aria-label="View as a customer">
      <p className={styles.words}>
        <strong>You are viewing the account of {name} as its customer sees it.</strong> You cannot
        change anything here. We told the customer: “{view.reason}” Until{" "}
        <When at={view.endsAt} plain />
      </p>
      <Form method="post" action={`/operator/customers/${view.customerId}/view`}>
        <SubmitButton name="intent" value="end" look="quiet" size="small">
          End the view
        </SubmitButton>
      </Form>
    </aside>
  );
}
