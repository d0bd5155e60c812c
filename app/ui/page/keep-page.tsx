import { type ReactNode, useEffect, useState } from "react";
import {
  data,
  isRouteErrorResponse,
  type MiddlewareFunction,
  useLocation,
  useMatches,
  useRevalidator,
} from "react-router";
import { errorStatus } from "./error-status.ts";
import styles from "./keep-page.module.css";
import { Notice } from "./notice.tsx";

/** What React Router has of each route: what its loader or action answered, or why it did not. */
type Results = Record<string, { type: "data" | "error"; result: unknown }>;

interface Said {
  form?: "unanswered" | "failed" | null;
  page?: "stale" | "signed-out" | null;
}

/** What the loaders of the page in the window read, what an action answered there, and how something is said above it. */
let read = new Map<string, unknown>();
let answered: { address: string; answer: unknown } | undefined;
let say: (said: Said) => void = () => {};

/**
 * The root route's `clientMiddleware`. While the server cannot answer, a page stays as it is, with everything that was typed in it and
 * the key of its form: an error page in its place would lose both. So it does when it reads itself after its reader was signed out.
 */
export const keepPage: MiddlewareFunction<Results> = async ({ request }, next) => {
  const results = await next();
  if (request.signal.aborted) return results;
  if (request.method !== "GET") return keepForm(results);
  const { pathname, search } = new URL(request.url);
  return pathname + search === address() ? keepWhatWasRead(results) : results;
};

const address = () => location.pathname + location.search;

function keepForm(results: Results): Results {
  const [id, { type, result }] = Object.entries(results)[0] as [string, Results[string]];
  if (isOutage({ type, result })) {
    say({ form: statusOf(result) === null ? "unanswered" : "failed" });
    // As before: what an earlier answer told the form, a price for instance, is still what it sends.
    const before = answered?.address === address() ? answered.answer : undefined;
    return { [id]: { type: "data", result: data(before, { status: 503 }) } };
  }
  const { data: answer } = (type === "data" ? result : {}) as { data?: unknown };
  answered = { address: address(), answer };
  say({ form: null });
  return results;
}

function keepWhatWasRead(results: Results): Results {
  const kept = { ...results };
  const said: Said = { page: null };
  for (const [id, each] of Object.entries(results)) {
    const isSignedOut = leadsToSignIn(each.result);
    if (!read.has(id) || !(isSignedOut || isOutage(each))) continue;
    said.page = isSignedOut ? "signed-out" : "stale";
    kept[id] = { type: "data", result: read.get(id) };
  }
  say(said);
  return kept;
}

function statusOf(error: unknown): number | null {
  return errorStatus(error, isRouteErrorResponse(error));
}

function isOutage({ type, result }: Results[string]): boolean {
  if (type === "data" || result instanceof Response) return false;
  const status = statusOf(result);
  return status === null || status >= 500;
}

function leadsToSignIn(result: unknown): boolean {
  return result instanceof Response && !!result.headers.get("Location")?.startsWith("/login");
}

/** Says above a page that it stays as it is, and why. */
export function KeptPage() {
  const { pathname } = useLocation();
  const [said, setSaid] = useState<Said & { on: string }>({ on: pathname });
  const matches = useMatches();
  useEffect(() => {
    read = new Map(
      matches.flatMap(({ id, loaderData }) => (loaderData === undefined ? [] : [[id, loaderData]])),
    );
    say = (now) =>
      setSaid((before) => ({ ...(before.on === pathname && before), on: pathname, ...now }));
  }, [matches, pathname]);
  const { form, page } = said.on === pathname ? said : {};
  const words = form ? <FormWords why={form} /> : page ? <PageWords why={page} /> : null;
  return words ? <Bar>{words}</Bar> : null;
}

function Bar({ children }: { children: ReactNode }) {
  return (
    <div className={styles.bar}>
      <Notice tone="warning" role="alert">
        {children}
      </Notice>
    </div>
  );
}

const stays = "Everything you filled in is still here.";

function FormWords({ why }: { why: "unanswered" | "failed" }) {
  const happened =
    why === "failed" ? "Something went wrong on our side." : "The site did not answer.";
  return `${happened} ${stays} Send it again: it will not be done twice.`;
}

function PageWords({ why }: { why: "stale" | "signed-out" }) {
  const { revalidate } = useRevalidator();
  if (why === "stale") {
    return (
      <>
        The site did not answer, so this page is not up to date.{" "}
        <button type="button" onClick={() => void revalidate()}>
          Refresh
        </button>
      </>
    );
  }
  return (
    <>
      You were signed out. {stays}{" "}
      <a href="/login" target="_blank" rel="noopener">
        Sign in in another tab
      </a>
      , then continue here.
    </>
  );
}
