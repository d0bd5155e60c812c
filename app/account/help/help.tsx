import { randomUUID } from "node:crypto";
import { data, Form, Link } from "react-router";
import { leadOn } from "#app/run-act.ts";
import { Button } from "#app/ui/controls/button.tsx";
import { FieldStack } from "#app/ui/controls/field-stack.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { Question } from "#app/ui/question.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { contactLimits } from "#core/contact.ts";
import { countFound } from "#core/faq-search.ts";
import { appContext } from "#server/app-context.ts";
import { listFaqEntries } from "#server/content/queries.ts";
import { searchFaq } from "#server/content/search-faq.ts";
import { customerContext } from "#server/identity/person-context.ts";
import type { Route } from "./+types/help";
import { listCases } from "./cases.ts";
import styles from "./help.module.css";
import { type HelpAnswer, takeMessage } from "./take-message.ts";

export const meta = titled("Help");

/** So many questions are shown before anything is searched for. */
const shownAtFirst = 8;

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { id } = context.get(customerContext);
  const search = (url.searchParams.get("q") ?? "").trim().slice(0, 200);
  const [entries, cases] = await Promise.all([listFaqEntries(db), listCases(db, id, now())]);
  const found = searchFaq(entries, search);
  const places = search === "" ? found.places.slice(0, shownAtFirst) : found.places;
  return {
    search,
    questions: places.flatMap((place) => entries[place] ?? []),
    count: search === "" ? null : countFound(found, entries.length),
    total: entries.length,
    cases: cases.map(({ key, label }) => ({ key, label })),
    about: url.searchParams.get("about") ?? "",
    submissionKey: randomUUID(),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const answer = await takeMessage(request, context);
  return "to" in answer ? leadOn(answer) : data(answer, answer.status);
}

export default function Help({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Help"
        description="Search the questions, or write to us about a deposit, a withdrawal or a contract."
      />
      <div className={styles.columns}>
        <Questions {...loaderData} />
        <Write {...loaderData} answer={actionData} />
      </div>
    </>
  );
}

type Read = Route.ComponentProps["loaderData"];

function Questions({ search, questions, count, total }: Read) {
  return (
    <Panel title="Questions">
      <Form role="search" method="get" className={styles.search}>
        <TextField
          label="Search the questions"
          type="search"
          name="q"
          key={search}
          defaultValue={search}
          maxLength={200}
          autoComplete="off"
        />
        <Button type="submit" look="outline">
          Search
        </Button>
      </Form>
      <p className={styles.found} role="status">
        {count}
      </p>
      {questions.map(({ slug, question, answer }) => (
        <Question
          key={slug}
          question={question}
          answer={answer}
          group="help"
          open={questions.length === 1}
        />
      ))}
      <p className={styles.more}>
        {search === "" ? (
          <a href="/faq">See all {total} questions</a>
        ) : (
          <Link to="/account/help">Clear the search</Link>
        )}
      </p>
    </Panel>
  );
}

function Write({
  cases,
  about,
  submissionKey,
  answer,
}: Read & { answer?: HelpAnswer | undefined }) {
  const { typed = { about, message: "" }, errors = {}, problem } = answer ?? {};
  return (
    <Panel title="Write to us">
      <Form method="post" className={styles.form}>
        <FieldStack>
          {problem ? <Notice tone="error">{problem}</Notice> : null}
          <SelectField
            label="What is it about?"
            description="We see its number and need not ask for it."
            name="about"
            defaultValue={typed.about}
            choices={[
              { value: "", label: "Something else" },
              ...cases.map(({ key, label }) => ({ value: key, label })),
            ]}
          />
          <TextArea
            label="Message"
            name="message"
            rows={7}
            required
            maxLength={contactLimits.message}
            defaultValue={typed.message}
            error={errors.message}
          />
          <input type="hidden" name="submissionKey" value={typed.submissionKey ?? submissionKey} />
          <p className={styles.note}>
            A person answers. You find the answer under <Link to="/account/messages">Messages</Link>
            , and we e-mail you when it comes.
          </p>
          <SubmitButton pendingText="Sending...">Send message</SubmitButton>
        </FieldStack>
      </Form>
    </Panel>
  );
}
