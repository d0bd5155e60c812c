import { data, Form, Link, useNavigation } from "react-router";
import { notFound, runAct } from "#app/run-act.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { ArrowDown, ArrowUp } from "#app/ui/icons.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { getCompany } from "#server/content/get-company.ts";
import { type ListedFaqEntry, listFaqForConsole, listPieces } from "#server/content/list-pieces.ts";
import { moveFaqEntry } from "#server/content/move-faq-entry.ts";
import { listKeys } from "../console-keys.ts";
import list from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { sayWith } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/overview";
import { ContentTabs } from "./content-tabs.tsx";
import styles from "./overview.module.css";

export const middleware = guard("content/read", "content/move");
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Content");
export const handle = { keys: listKeys };

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const at = now();
  const [company, questions, announcements] = await Promise.all([
    getCompany(db),
    listFaqForConsole(db),
    listPieces(db, "announcement"),
  ]);
  return {
    company,
    questions,
    announcements: announcements.map(({ slug, newest, settled }) => {
      const body = (settled ?? newest)?.body as Record<string, unknown> | undefined;
      return {
        slug,
        title: String(newest?.body["title"] ?? slug),
        publishedAt: String(body?.["publishedAt"] ?? at.toISOString()),
        pinned: body?.["pinned"] === true,
        hasDraft: newest?.state === "draft",
        state: stateOf(settled?.state, body, at),
      };
    }),
  };
}

function stateOf(
  settled: string | undefined,
  body: Record<string, unknown> | undefined,
  now: Date,
): string {
  if (settled !== "published") return settled ?? "draft";
  if (new Date(String(body?.["publishedAt"])) > now) return "scheduled";
  const expiresAt = body?.["expiresAt"];
  return expiresAt && new Date(String(expiresAt)) <= now ? "expired" : "published";
}

/** The one thing that is done here: a question moves up or down. */
export async function action({ request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const form = await request.formData();
  const by = form.get("by") === "up" ? -1 : 1;
  return runAct(
    async () => {
      const move = { slug: String(form.get("slug")), from: Number(form.get("from")), by } as const;
      await moveFaqEntry(db, operator, move, now());
      return { to: "/operator/content" };
    },
    ({ status }) => {
      if (status !== 409) throw data(null, { status: 403 });
      return {};
    },
    sayWith({ "content/not-found": notFound }),
  );
}

export default function ContentOverview({ loaderData }: Route.ComponentProps) {
  const { company, questions, announcements } = loaderData;
  const mayWrite = useMay()("content/save-draft");
  return (
    <>
      <PageHeader
        title="Content"
        description="What the site says. Every version is kept; the texts of law are not edited here."
      />
      <ContentTabs />
      <div className={styles.page}>
        <div className={layout.stack}>
          <Panel
            title="Questions"
            aside={
              mayWrite ? (
                <Link to="/operator/content/faq/new" data-key="n">
                  New question
                </Link>
              ) : null
            }
            flush
          >
            <Questions questions={questions} />
          </Panel>
        </div>
        <div className={layout.stack}>
          <Panel
            title="Company"
            aside={
              <Link to="/operator/content/company/company">
                {mayWrite ? "Edit the company" : "Its history"}
              </Link>
            }
          >
            <CompanyFacts company={company} />
          </Panel>
          <Panel
            title="Announcements"
            aside={
              mayWrite ? (
                <Link to="/operator/content/announcement/new">New announcement</Link>
              ) : null
            }
            flush
          >
            <Announcements announcements={announcements} />
          </Panel>
        </div>
      </div>
    </>
  );
}

function Questions({ questions }: { questions: ListedFaqEntry[] }) {
  const mayMove = useMay()("content/move");
  return (
    <ConsoleTable
      label="Questions"
      bare
      rows={questions}
      rowKey={(entry) => entry.slug}
      columns={[
        {
          head: "Question",
          cell: (entry) => (
            <>
              <Link to={`/operator/content/faq/${entry.slug}`} className={list.link} data-row>
                {entry.question}
              </Link>
              <div className={`${list.second} ${styles.slug}`}>#{entry.slug}</div>
            </>
          ),
        },
        {
          head: "State",
          cell: (entry) => (
            <div className={styles.states}>
              <QuestionState entry={entry} />
            </div>
          ),
        },
        mayMove
          ? {
              head: "Order",
              cell: (entry, index) => (
                <div className={styles.order}>
                  <Move entry={entry} from={index + 1} by="up" disabled={index === 0} />
                  <Move
                    entry={entry}
                    from={index + 1}
                    by="down"
                    disabled={index === questions.length - 1}
                  />
                </div>
              ),
            }
          : null,
      ]}
    />
  );
}

function QuestionState({ entry: { isDelivered, live, hasDraft } }: { entry: ListedFaqEntry }) {
  return (
    <>
      {isDelivered ? <StatusBadge status="as delivered" /> : null}
      {!isDelivered && live ? <StatusBadge status="published" tone="good" /> : null}
      {live ? null : <StatusBadge status="not shown" />}
      {hasDraft ? <StatusBadge status="draft waits" tone="waiting" /> : null}
    </>
  );
}

function Move({
  entry: { slug, question },
  from,
  by,
  disabled,
}: {
  entry: ListedFaqEntry;
  from: number;
  by: "up" | "down";
  disabled: boolean;
}) {
  const Icon = by === "up" ? ArrowUp : ArrowDown;
  // The focus stays where it is: whoever moves a question further presses the same button again.
  const isMoving = useNavigation().formMethod === "POST";
  return (
    <Form
      method="post"
      preventScrollReset
      onSubmit={(event) => {
        if (isMoving) event.preventDefault();
      }}
    >
      <input type="hidden" name="slug" value={slug} />
      <input type="hidden" name="from" value={from} />
      <button
        type="submit"
        name="by"
        value={by}
        className={styles.move}
        disabled={disabled}
        aria-disabled={isMoving || undefined}
        aria-label={`Move ${by}: ${question}`}
      >
        <Icon size={16} aria-hidden="true" />
      </button>
    </Form>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

function CompanyFacts({ company }: Pick<Loaded, "company">) {
  const known = [
    ["Name", company.name],
    ["Registration", company.registration],
    ["Address", company.postalAddress],
    ["E-mail", company.email],
    ["Phone", company.phone],
    ["Office hours", company.officeHours],
  ] as const;
  const facts = known.flatMap(([label, value]) =>
    value ? [{ label, value: <span className={styles.lines}>{value}</span> }] : [],
  );
  if (facts.length === 0) {
    return (
      <p className={styles.none}>
        Nothing yet. Visitors cannot see who runs this site until you write it.
      </p>
    );
  }
  return <Facts facts={facts} />;
}

const announcementTones = {
  published: "good",
  scheduled: "waiting",
  draft: "waiting",
  withdrawn: "plain",
  expired: "plain",
} as const;

function Announcements({ announcements }: Pick<Loaded, "announcements">) {
  if (announcements.length === 0) {
    return <p className={list.empty}>Nothing announced yet. What you publish appears on /news.</p>;
  }
  return (
    <ConsoleTable
      label="Announcements"
      bare
      rows={announcements}
      rowKey={({ slug }) => slug}
      columns={[
        {
          head: "Title",
          value: "title",
          to: ({ slug }) => `/operator/content/announcement/${slug}`,
          second: ({ pinned }) => (pinned ? "Pinned" : null),
        },
        {
          head: "State",
          cell: ({ state, hasDraft }) => (
            <div className={styles.states}>
              <StatusBadge
                status={state}
                tone={announcementTones[state as keyof typeof announcementTones] ?? "plain"}
              />
              {hasDraft && state !== "draft" ? (
                <StatusBadge status="draft waits" tone="waiting" />
              ) : null}
            </div>
          ),
        },
        { head: "From", value: "publishedAt" },
      ]}
    />
  );
}
