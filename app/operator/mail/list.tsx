import { Link } from "react-router";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { FilterForm } from "#app/ui/tables/filter-form.tsx";
import { isUuid } from "#core/is-uuid.ts";
import { countMails, type ListedMail, listMails } from "#server/platform/mail/list-mails.ts";
import { type MailState, mailStates } from "#server/platform/mail/mail.ts";
import { listKeys } from "../console-keys.ts";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { QueuePage, useIsWhole } from "../parts/queue-page.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { searchText } from "../parts/search-text.ts";
import type { Route } from "./+types/list";

const pageSize = 50;

export const middleware = guard("mail/list");
export const meta = titled("Mail");
export const handle = { keys: [...listKeys, { key: "/", does: "search" }] };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, config } = consoleOf(context);
  const params = new URL(request.url).searchParams;
  const state = mailStates.find((known) => known === params.get("state"));
  const search = searchText(params, "q");
  const after = params.get("after");
  const mails = await listMails(db, {
    ...(state && { state }),
    ...(search && { search }),
    ...(isUuid(after) && { before: after }),
    limit: pageSize + 1,
  });
  const shown = mails.slice(0, pageSize);
  return {
    mails: shown,
    after: mails.length > pageSize ? (shown.at(-1)?.id ?? null) : null,
    filter: { state: state ?? null, search },
    states: [...mailStates],
    counts: await countMails(db),
    hasServer: config.smtpUrl !== null,
  };
}

export default function MailPage({ loaderData }: Route.ComponentProps) {
  const { mails, after, filter, states, counts, hasServer } = loaderData;
  const whole = useIsWhole(after);
  return (
    <QueuePage
      title="Mail"
      description={describeCounts(counts)}
      tools={
        <>
          {hasServer ? null : <NoMailServer />}
          <FilterForm label="Filter mail">
            <SelectField
              key={filter.state}
              name="state"
              label="State"
              defaultValue={filter.state ?? ""}
              choices={[
                { value: "", label: "All" },
                ...states.map((value) => ({ value, label: capital(value) })),
              ]}
            />
            <TextField
              key={filter.search}
              type="search"
              name="q"
              label="Recipient or subject"
              defaultValue={filter.search}
              data-key="/"
            />
          </FilterForm>
        </>
      }
      empty={
        mails.length === 0 ? <NoMail filtered={Boolean(filter.state || filter.search)} /> : null
      }
      order={`${mails.length} shown, newest first`}
      after={after}
    >
      <MailTable mails={mails} whole={whole} />
    </QueuePage>
  );
}

function describeCounts({ queued, failed, sent }: Record<MailState, number>): string {
  return `${queued} waiting, ${failed} failed, ${sent} sent.`;
}

function NoMailServer() {
  return (
    <Notice tone="info" title="No mail server is configured">
      Mail is written to the folder outbox of the data directory, and its text is shown here. Set
      SMTP_URL to send it.
    </Notice>
  );
}

function NoMail({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState drawing="touchstone" action={<Link to="/operator/mail">Show all mail</Link>}>
        No mail matches these filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState drawing="seal">
      No mail yet. The first one is written when a customer registers.
    </EmptyState>
  );
}

function MailTable({ mails, whole }: { mails: ListedMail[]; whole: boolean }) {
  return (
    <ConsoleTable
      label="Mail"
      rows={mails}
      whole={whole}
      columns={[
        {
          head: "Subject",
          sort: "subject",
          value: "subject",
          cell: (mail) => (
            <>
              <Link to={`/operator/mail/${mail.id}`} className={styles.link} data-row>
                {mail.subject}
              </Link>
              <div className={styles.second}>{mail.template}</div>
              {mail.lastError && mail.state !== "sent" ? (
                <div className={styles.error}>{mail.lastError}</div>
              ) : null}
            </>
          ),
        },
        { head: "State", cell: (mail) => <StatusBadge status={mail.state} /> },
        { head: "Recipient", sort: "recipient", value: "recipient" },
        { head: "Attempts", kind: "number", value: "attempts" },
        { head: "Written", sort: "-written", value: "createdAt" },
        { head: "Sent", value: "sentAt" },
      ]}
    />
  );
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
