import { Form, Link } from "react-router";
import { Button } from "#app/ui/controls/button.tsx";
import { FieldStack } from "#app/ui/controls/field-stack.tsx";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { Question } from "#app/ui/page/question.tsx";
import { formatUsd } from "#core/money.ts";
import { countFound } from "#core/text/faq-search.ts";
import { formatDay, utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { listFaqEntries } from "#server/content/list-faq-entries.ts";
import { searchFaq } from "#server/content/search-faq.ts";
import { listDeposits } from "#server/deposits/list-deposits.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { listOpenContracts } from "#server/mining/contracts/list-open-contracts.ts";
import type { Db } from "#server/platform/database.ts";
import { listWithdrawalsOf } from "#server/withdrawals/list-withdrawals.ts";
import type { Route } from "./+types/help";
import styles from "./help.module.css";

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
    cases,
  };
}

export default function Help({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Help"
        description="Search the questions, or write to us about a deposit, a withdrawal or a contract."
      />
      <div className={styles.columns}>
        <Questions {...loaderData} />
        <Write {...loaderData} />
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

/** Leads to the one form for messages, with the case and what was searched for filled in. */
function Write({ cases, search }: Read) {
  return (
    <Panel title="Write to us">
      <Form method="get" action="/account/messages/new">
        <FieldStack>
          <SelectField
            label="What is it about?"
            description="Then we know its number and do not have to ask."
            name="about"
            choices={[
              { value: "", label: "Something else" },
              ...cases.map(({ key, label }) => ({ value: key, label })),
            ]}
          />
          {search === "" ? null : <input type="hidden" name="subject" value={search} />}
          <p className={layout.note}>
            A person on our staff answers. You find the answer under{" "}
            <Link to="/account/messages">Messages</Link>, and we e-mail you when it comes.
          </p>
          <Button type="submit">Write a message</Button>
        </FieldStack>
      </Form>
    </Panel>
  );
}

/** What a customer can write about, by its number. */
interface Case {
  /** As in the address `/account/messages/new?about=deposit:…`. */
  key: string;
  label: string;
}

const most = 5;

/** A customer's newest deposits, withdrawals and contracts. */
async function listCases(db: Db, customerId: string, now: Date): Promise<Case[]> {
  const today = utcDay(now);
  const [{ deposits }, withdrawals, contracts] = await Promise.all([
    listDeposits(db, customerId, { show: most }),
    listWithdrawalsOf(db, customerId, most),
    listOpenContracts(db, [customerId], today),
  ]);
  const dayOf = (at: Date) => formatDay(utcDay(at));
  return [
    ...deposits.map(({ depositId, usdCents, createdAt }) => ({
      key: `deposit:${depositId}`,
      label: `Deposit${usdCents === null ? "" : ` of ${formatUsd(usdCents)}`}, ${dayOf(createdAt)}`,
    })),
    ...withdrawals.map(({ id, asset, requestedAt }) => ({
      key: `withdrawal:${id}`,
      label: `Withdrawal of ${asset}, ${dayOf(requestedAt)}`,
    })),
    ...contracts.slice(0, most).map(({ contractId, quantity, planName, startsOn }) => ({
      key: `contract:${contractId}`,
      label: `Contract ${quantity} × ${planName}, from ${formatDay(startsOn)}`,
    })),
  ];
}
