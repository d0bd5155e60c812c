import { useEffect, useState } from "react";
import {
  data,
  isRouteErrorResponse,
  type MiddlewareFunction,
  useLocation,
  useMatches,
  useRevalidator,
  unstable_useRoute as useRoute,
} from "react-router";
import { errorStatus } from "./error-status.ts";
import styles from "./keep-page.module.css";
import { Notice } from "./notice.tsx";

/** What React Router has of each route: what its loader or action answered, or why it did not. */
type Results = Record<string, { type: "data" | "error"; result: unknown }>;

interface Said {
  /** Why no one knows whether the page's form was taken. */
  form?: "unanswered" | "failed" | null;
  /** What came in the way of it: `conflict` of the console's texts. */
  meanwhile?: string | undefined;
  page?: "stale" | "signed-out" | null;
}

/** The page that is drawn, which during a step back is another one than the address bar says. */
interface Shown {
  address: string;
  /** What its loaders read. */
  read: ReadonlyMap<string, unknown>;
  /** Its own route, and what its action answered last. */
  own: { id: string | undefined; answered: unknown };
  said: Said;
  say(said: Said): void;
}

let shown: Shown | undefined;

/**
 * The root route's `clientMiddleware`. While the server cannot answer, a page stays as it is, with everything that was typed in it and
 * the key of its form: an error page in its place would lose both.
 */
export const keepPage: MiddlewareFunction<Results> = async ({ request }, next) => {
  const results = await next();
  if (request.signal.aborted || shown?.address !== addressOf(new URL(request.url))) return results;
  return request.method === "GET" ? keepWhatWasRead(results, shown) : keepForm(results, shown);
};

/** Without the mark of forms that an index route takes. */
function addressOf({ pathname, search }: { pathname: string; search: string }): string {
  return `${pathname}?${search.slice(1).replace(/^index(&|$)/, "")}`;
}

function keepForm(results: Results, { own: { id = "", answered }, say }: Shown): Results {
  const answer = results[id];
  const form = faultOf(answer);
  if (leadsToSignIn(answer?.result)) {
    say({ page: "signed-out" });
    return { [id]: { type: "data", result: data(answered, { status: 401 }) } };
  }
  say({ form, meanwhile: form ? undefined : meanwhileIn((answer?.result as Answer)?.data) });
  return form ? { [id]: { type: "data", result: data(answered, { status: 503 }) } } : results;
}

function keepWhatWasRead(results: Results, { read, own, said, say }: Shown): Results {
  let page: Said["page"];
  for (const [id, each] of Object.entries(results)) {
    const isSignedOut = leadsToSignIn(each.result) && (own.answered != null || isFilledIn());
    const result = read.get(id);
    page ??= null;
    // Read anew, a form would have another key, and what may have been done already would be done again.
    if (result === undefined || !(said.form || isSignedOut || faultOf(each))) continue;
    page = isSignedOut ? "signed-out" : "stale";
    results[id] = { type: "data", result };
  }
  // After an act that was refused nothing is read.
  if (page !== undefined) say({ page });
  return results;
}

const faultOf = (of: Results[string] | undefined) =>
  of?.type === "error" ? outageOf(of.result) : null;

/** Whether what was thrown in place of an answer means that no one knows what became of the request. */
export function outageOf(error: unknown): "unanswered" | "failed" | null {
  if (error instanceof Response) return null;
  const status = errorStatus(error, isRouteErrorResponse(error));
  if (status === null) return "unanswered";
  return status >= 500 ? "failed" : null;
}

type Answer = { data?: unknown } | undefined;

function meanwhileIn(answer: unknown): string | undefined {
  return (answer as { meanwhile?: string } | undefined)?.meanwhile;
}

/** And back again: who closed the account is led there for good. */
function leadsToSignIn(result: unknown): boolean {
  return result instanceof Response && !!result.headers.get("Location")?.startsWith("/login?next=");
}

/** Whether what was typed into a form would be lost. */
function isFilledIn(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement & HTMLOptionElement>(
    "form[method=post] :is(input:not([type=hidden]), textarea, option)",
  );
  return [...fields].some(
    // Where nothing is chosen at first the first choice is.
    ({ value, defaultValue = value, checked, defaultChecked, selected, defaultSelected, index }) =>
      value !== defaultValue ||
      checked !== defaultChecked ||
      (selected !== defaultSelected && (defaultSelected || index > 0)),
  );
}

/** Says above a page why it stays as it is, or what came in the way of its form meanwhile. */
export function PageNotice() {
  const address = addressOf(useLocation());
  return <AtAddress key={address} address={address} />;
}

function AtAddress({ address }: { address: string }) {
  const [{ count, ...said }, setSaid] = useState<Said & { count: number }>({ count: 0 });
  const matches = useMatches();
  const id = matches.at(-1)?.id;
  const answered = (useRoute(id as never) as { actionData?: unknown } | undefined)?.actionData;
  useEffect(() => {
    const read = new Map(matches.map(({ id, loaderData }) => [id, loaderData]));
    const say = (now: Said) =>
      setSaid((before) => ({
        ...before,
        ...now,
        count: before.count + (now.form || now.meanwhile ? 1 : 0),
      }));
    shown = { address, read, own: { id, answered }, said, say };
  });
  const words = said.form
    ? sayForm(said.form)
    : (said.meanwhile ?? meanwhileIn(answered) ?? (said.page && <PageWords why={said.page} />));
  return words ? (
    <div className={styles.bar} key={count}>
      <Notice tone="warning" role="alert">
        {words}
      </Notice>
    </div>
  ) : null;
}

const stays = "Everything you filled in is still here.";

function sayForm(why: "unanswered" | "failed"): string {
  const happened =
    why === "failed" ? "Something went wrong on our side" : "The site did not answer";
  return `${happened}, so this may be done or not. ${stays} Send it again: no coin moves twice. Or reload the page to see whether it was done.`;
}

function PageWords({ why }: { why: "stale" | "signed-out" }) {
  const { revalidate } = useRevalidator();
  return why === "stale" ? (
    <>
      The site did not answer, so this page is not up to date.{" "}
      <button type="button" onClick={() => void revalidate()}>
        Refresh
      </button>
    </>
  ) : (
    <>
      You were signed out. {stays}{" "}
      <a href="/login" target="_blank" rel="noopener">
        Sign in in another tab
      </a>
      , then continue here.
    </>
  );
}
