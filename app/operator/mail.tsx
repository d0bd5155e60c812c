import { NativeSelect, TextInput } from "@mantine/core";
import { Link } from "react-router";
import { DataTable } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { OlderNewer } from "#app/ui/pagination.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import { appContext } from "#server/app-context.ts";
import { isId } from "#server/console/is-id.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { type MailState, mailStates } from "#server/platform/mail/mail.ts";
import { countMails, type ListedMail, listMails } from "#server/platform/mail/queries.ts";
import type { Route } from "./+types/mail";
import { ConsoleError } from "./console-error.tsx";
import { listKeys } from "./console-keys.ts";
import styles from "./console-list.module.css";
import { searchText } from "./search-text.ts";

const pageSize = 50;

export const middleware: Route.MiddlewareFunction[] = [requirePermission("mail/list")];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Mail");
export const handle = { keys: [...listKeys, { key: "/", does: "search" }] };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const params = new URL(request.url).searchParams;
  const state = mailStates.find((known) => known === params.get("state"));
  const search = searchText(params, "q");
  const after = params.get("after");
  const mails = await listMails(db, {
    ...(state && { state }),
    ...(search && { search }),
    ...(isId(after) && { before: after }),
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
  return (
    <>
      <PageHeader title="Mail" description={describeCounts(counts)} />
      {hasServer ? null : <NoMailServer />}
      <FilterForm label="Filter mail">
        <NativeSelect
          key={filter.state}
          name="state"
          label="State"
          defaultValue={filter.state ?? ""}
          data={[
            { value: "", label: "All" },
            ...states.map((value) => ({ value, label: capital(value) })),
          ]}
        />
        <TextInput
          key={filter.search}
          type="search"
          name="q"
          label="Recipient or subject"
          defaultValue={filter.search}
          data-key="/"
        />
      </FilterForm>
      {mails.length === 0 ? (
        <NoMail filtered={Boolean(filter.state || filter.search)} />
      ) : (
        <MailTable mails={mails} />
      )}
      <OlderNewer after={after}>
        {mails.length === 0 ? null : `${mails.length} shown, newest first`}
      </OlderNewer>
    </>
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
      No mail yet. The first one is written when somebody registers.
    </EmptyState>
  );
}

function MailTable({ mails }: { mails: ListedMail[] }) {
  return (
    <DataTable label="Mail">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Subject</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Recipient</Table.Th>
          <Table.Th className={styles.number}>Attempts</Table.Th>
          <Table.Th>Written</Table.Th>
          <Table.Th>Sent</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {mails.map((mail) => (
          <Table.Tr key={mail.id} className={styles.row}>
            <Table.Td>
              <Link to={`/operator/mail/${mail.id}`} className={styles.link} data-row>
                {mail.subject}
              </Link>
              <div className={styles.second}>{mail.template}</div>
              {mail.lastError && mail.state !== "sent" ? (
                <div className={styles.error}>{mail.lastError}</div>
              ) : null}
            </Table.Td>
            <Table.Td>
              <StatusBadge status={mail.state} />
            </Table.Td>
            <Table.Td>{mail.recipient}</Table.Td>
            <Table.Td className={styles.number}>{mail.attempts}</Table.Td>
            <Table.Td>
              <When at={mail.createdAt} />
            </Table.Td>
            <Table.Td>{mail.sentAt ? <When at={mail.sentAt} /> : "–"}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
