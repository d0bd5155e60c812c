import { Form, Link } from "react-router";
import { PasswordField } from "#app/ui/controls/password-field.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { securityTerms } from "#core/people/security-terms.ts";
import { PartForm, type PartProps } from "./part-form.tsx";
import styles from "./profile.module.css";

export function NamesPart(props: PartProps & { firstName: string; lastName: string }) {
  const { firstName, lastName, ...rest } = props;
  return (
    <PartForm {...rest} part="names" title="Your name" saved={{ firstName, lastName }}>
      {(form) => (
        <div className={styles.pair}>
          <TextField label="Firstname" autoComplete="given-name" {...form.field("firstName")} />
          <TextField label="Lastname" autoComplete="family-name" {...form.field("lastName")} />
        </div>
      )}
    </PartForm>
  );
}

interface PhonePartProps extends PartProps {
  phone: { shown: string; country: string | null } | null;
  countries: Array<{ value: string; label: string }>;
}

export function PhonePart({ phone, countries, ...rest }: PhonePartProps) {
  const saved = { country: phone?.country ?? "", phone: phone?.shown ?? "" };
  return (
    <PartForm
      {...rest}
      part="phone"
      title="Phone number"
      saved={saved}
      about="Optional. We call you only if an e-mail is not enough, and never ask for a password or a code. Clear the field to delete the number."
    >
      {(form) => (
        <div className={styles.pair}>
          <SelectField
            label="Country"
            description="Not needed if it begins with +"
            choices={[{ value: "", label: "–" }, ...countries]}
            {...form.field("country")}
          />
          <TextField
            label="Number"
            description="With spaces or without"
            autoComplete="tel"
            inputMode="tel"
            type="tel"
            {...form.field("phone")}
          />
        </div>
      )}
    </PartForm>
  );
}

interface EmailPartProps extends PartProps {
  email: string;
  emailVerified: boolean;
  change: {
    newEmail: string;
    oldConfirmedAt: Date | null;
    newConfirmedAt: Date | null;
    expiresAt: Date;
  } | null;
}

export function EmailPart({ email, emailVerified, change, ...rest }: EmailPartProps) {
  return (
    <PartForm
      {...rest}
      part="email"
      title="E-mail address"
      saved={{ newEmail: "", password: "" }}
      button="Send the links"
      about={
        <>
          <p>
            {email} <StatusBadge status={emailVerified ? "verified" : "unverified"} />
          </p>
          {emailVerified ? null : (
            <p>
              <Link to="/verify-email">Send the link again</Link>
            </p>
          )}
          <p>
            To change it, we send two links: one to this address, one to the new one. Nothing
            changes until you have followed both. Withdrawals are then paused for{" "}
            {securityTerms.changeHoldHours} hours.
          </p>
        </>
      }
      after={change ? <OpenChange change={change} /> : null}
    >
      {(form) => (
        <div className={styles.pair}>
          <TextField
            label="New address"
            autoComplete="email"
            type="email"
            {...form.field("newEmail")}
          />
          <PasswordField
            label="Current password"
            autoComplete="current-password"
            {...form.field("password")}
          />
        </div>
      )}
    </PartForm>
  );
}

function OpenChange({ change }: { change: NonNullable<EmailPartProps["change"]> }) {
  const { newEmail, oldConfirmedAt, newConfirmedAt, expiresAt } = change;
  const missing = [
    oldConfirmedAt ? null : "the address that you have now",
    newConfirmedAt ? null : newEmail,
  ].filter(Boolean);
  return (
    <div className={styles.after}>
      <div className={styles.state}>
        <Notice title="Your new address is not confirmed yet">
          Open the link that we sent to {missing.join(" and the one to ")}. They work until{" "}
          <When at={expiresAt} plain />.
        </Notice>
      </div>
      <Form method="post" preventScrollReset>
        <SubmitButton name="intent" value="cancel-email" look="bare">
          Cancel the change
        </SubmitButton>
      </Form>
    </div>
  );
}
