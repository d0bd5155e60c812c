import { data, Form, Link } from "react-router";
import { errorsOf, runAct } from "#app/run-act.ts";
import { ElsewhereEntry } from "#app/ui/content/news-entry.tsx";
import { Button } from "#app/ui/controls/button.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { type FormReply, parseForm } from "#app/ui/forms/parse-form.ts";
import { Facts } from "#app/ui/page/facts.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { isId } from "#server/console/is-id.ts";
import { changeSource, readSourceNow, removeSource } from "#server/news/change-sources.ts";
import { findSource, listItemsOfSource } from "#server/news/list-sources.ts";
import list from "../parts/console-list.module.css";
import { consoleOf, guard, notFound } from "../parts/route.ts";
import columns from "../parts/two-columns.module.css";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/news-source";
import styles from "./news.module.css";
import { newsSourceSchema } from "./news-schema.ts";
import { NewsSourceForm } from "./news-source-form.tsx";
import { NewsSourceState } from "./news-source-state.tsx";

const shown = 10;

export const middleware = guard("news/read", {
  save: "news/change-source",
  read: "news/read-now",
  remove: "news/remove-source",
});
export const handle = { keys: [] };
export function meta({ loaderData, matches }: Route.MetaArgs) {
  const name = loaderData?.source.name ?? "Feed";
  return [{ title: `${name} · News feeds · ${matches[0].loaderData.siteName}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const source = await findSource(db, params.sourceId);
  if (!source) throw notFound();
  const items = await listItemsOfSource(db, source.id, shown);
  const at = now().getTime();
  return {
    source,
    now: now(),
    items: items.map(({ id, title, url, summary, publishedAt }) => ({
      id,
      title,
      url,
      summary,
      publishedAt,
      ageMs: Math.max(0, at - publishedAt.getTime()),
    })),
  };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const { sourceId } = params;
  if (!isId(sourceId)) throw notFound();
  const form = await request.formData();
  const intent = form.get("intent");
  if (intent !== "remove" && intent !== "read") return save(sourceId, form, context);
  return runAct(
    async () => {
      if (intent === "remove") {
        await removeSource(db, operator, sourceId, now());
        return { to: "/operator/news", say: "news-source-removed" };
      }
      await readSourceNow(db, operator, sourceId, now());
      return { to: `/operator/news/${sourceId}`, say: "news-source-reading" };
    },
    (said): Answer => ({ result: null, seenRevision: null, fault: said.text }),
    sayRefusal,
  );
}

interface Answer {
  result: FormReply | null;
  seenRevision: number | null;
  /** Why the feed was not read or removed. */
  fault?: string;
}

async function save(sourceId: string, form: FormData, context: Route.ActionArgs["context"]) {
  const { db, config, now, operator } = consoleOf(context);
  const seenRevision = Math.trunc(Number(form.get("seenRevision")) || 0);
  const submission = parseForm(form, { schema: newsSourceSchema });
  if (submission.status !== "success") {
    return data<Answer>({ result: submission.reply(), seenRevision }, 400);
  }
  return runAct(
    async () => {
      const rules = { allowLoopback: config.feedsAllowLoopback };
      const change = { ...submission.value, ...rules, sourceId, seenRevision };
      await changeSource(db, operator, change, now());
      return { to: `/operator/news/${sourceId}`, say: "news-source-saved" };
    },
    async (said): Promise<Answer> => {
      const theirs = said.status === 409 ? await findSource(db, sourceId) : null;
      const result = submission.reply(errorsOf(said, form));
      return { result, seenRevision: theirs?.revision ?? seenRevision };
    },
    sayRefusal,
  );
}

export default function NewsSource({ loaderData, actionData }: Route.ComponentProps) {
  const { source, items } = loaderData;
  const may = useMay();
  return (
    <>
      <PageHeader title={source.name} description={<Link to="/operator/news">All feeds</Link>} />
      <div className={columns.page}>
        <Panel title="Its newest lines, as they are shown">
          {items.length === 0 ? (
            <p className={list.second}>Nothing has been read yet.</p>
          ) : (
            <ol className={styles.timeline}>
              {items.map((item) => (
                <ElsewhereEntry key={item.id} {...item} source={source.name} />
              ))}
            </ol>
          )}
        </Panel>
        <div className={columns.column}>
          <Panel title="Reading">
            <Facts
              facts={[
                {
                  label: "State",
                  value: source.enabled ? (
                    <div>
                      <NewsSourceState source={source} now={loaderData.now} />
                    </div>
                  ) : (
                    "Switched off"
                  ),
                },
                { label: "Last success", value: source.succeededAt },
                source.enabled && { label: "Next", value: source.nextReadAt },
                { label: "Lines kept", value: String(source.itemCount) },
                source.skipped > 0 && {
                  label: "Left out",
                  value: `${source.skipped} of the last reading: without a web address or words, or twice`,
                },
                { label: "Changed by", value: source.changedBy },
              ]}
            />
            <FormAlert errors={actionData?.fault ? [actionData.fault] : null} />
            <Form method="post" preventScrollReset className={styles.actions}>
              {may("news/read-now") ? (
                <Button
                  type="submit"
                  name="intent"
                  value="read"
                  look="quiet"
                  disabled={!source.enabled}
                >
                  Read it now
                </Button>
              ) : null}
              {may("news/remove-source") ? (
                <Button type="submit" name="intent" value="remove" look="outline" tone="brick">
                  Remove with its news
                </Button>
              ) : null}
            </Form>
          </Panel>
          {may("news/change-source") ? (
            <Panel title="Feed">
              <NewsSourceForm
                key={source.revision}
                saved={source}
                seenRevision={actionData?.seenRevision ?? null}
                lastResult={actionData?.result ?? undefined}
              />
            </Panel>
          ) : null}
        </div>
      </div>
    </>
  );
}
