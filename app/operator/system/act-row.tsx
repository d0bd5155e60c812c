import type { ReactNode } from "react";
import { When } from "#app/ui/figures/when.tsx";
import layout from "#app/ui/page/layout.module.css";
import type { Permission } from "#core/permissions.ts";
import type { AuditRow } from "#server/console/audit/list-audit-log.ts";
import { MayLink } from "../parts/may-link.tsx";
import styles from "./act-row.module.css";

/** When an act of staff was done, by whom, and its place in the chain. */
export function ActMoment({ act }: { act: AuditRow }) {
  return (
    <>
      <When at={act.occurredAt} />
      <div className={layout.quiet}>{act.operator?.name ?? <em>On the server</em>}</div>
      <code className={styles.link} title={`Link ${act.link} of the chain: ${act.hash}`}>
        {act.link}:{act.hash.slice(0, 8)}
      </code>
    </>
  );
}

/** What it was, on what, and the details as they were written down. */
export function ActWords({ act }: { act: AuditRow }) {
  return (
    <>
      <code className={styles.act}>{act.act}</code> <Subject subject={act.subject} />
      <ActDetail detail={act.detail} />
    </>
  );
}

const places: Record<string, { page: string; needs: Permission }> = {
  deposit: { page: "/operator/deposits/", needs: "deposits/read" },
  adjustment: { page: "/operator/adjustments/", needs: "adjustments/read" },
  customer: { page: "/operator/customers/", needs: "customers/read" },
  mail: { page: "/operator/mail/", needs: "mail/list" },
  content: { page: "/operator/content/", needs: "content/read" },
  testimonial: { page: "/operator/content/testimonials/", needs: "content/read" },
  message: { page: "/operator/messages/", needs: "contact/read" },
  operator: { page: "/operator/staff/", needs: "staff/read" },
  "staff-change": { page: "/operator/staff#", needs: "staff/read" },
  verification: { page: "/operator/verification/", needs: "kyc/read" },
  withdrawal: { page: "/operator/withdrawals/", needs: "withdrawals/read" },
  count: { page: "/operator/reconciliation/", needs: "reconciliation/read" },
  outage: { page: "/operator/fleet/outages/", needs: "fleet/read" },
  delivery: { page: "/operator/fleet/deliveries/", needs: "fleet/read" },
  "withdrawal-batch": { page: "/operator/withdrawals/batches/", needs: "withdrawals/read" },
  "plan-version": { page: "/operator/plans/", needs: "plans/read" },
  payout: { page: "/operator/payouts/", needs: "payouts/read" },
  statement: { page: "/operator/payouts/statements/", needs: "payouts/read" },
};

/** What was acted on, as a link where the console has a page for it. */
export function Subject({ subject }: { subject: string }) {
  const [noun = "", id = ""] = subject.split(":");
  const place = places[noun];
  if (!place || !id) return <span>{subject}</span>;
  return (
    <MayLink needs={place.needs} to={place.page + id} data-row>
      {noun} {id.slice(-8)}
    </MayLink>
  );
}

/** What an act wrote down about itself, as label and value. */
export function ActDetail({ detail }: { detail: Record<string, unknown> }) {
  const known = Object.entries(detail).filter(([, value]) => value !== null && value !== "");
  if (known.length === 0) return null;
  return (
    <dl className={styles.facts} data-inline>
      {known.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{words(name)}</dt>
          <dd>{name === "passkey" ? signedWords(value) : inWords(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

function inWords(value: unknown): ReactNode {
  if (typeof value === "object") return JSON.stringify(value);
  return typeof value === "string" && moment.test(value) ? <When at={value} /> : String(value);
}

/** The signature itself is in the CSV, and `npm run verify -- audit` checks it. */
function signedWords(value: unknown): string {
  const { credential } = (value ?? {}) as { credential?: unknown };
  return `signed, with the passkey ${String(credential).slice(0, 8)}`;
}

/** `usdCents` -> "usd cents". */
function words(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
