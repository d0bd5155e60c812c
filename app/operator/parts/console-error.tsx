import type { ReactNode } from "react";
import { isRouteErrorResponse, Link, useRouteError, useRouteLoaderData } from "react-router";
import { formInHand } from "#app/ui/forms/form-in-hand.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { errorStatus } from "#app/ui/page/error-status.ts";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import styles from "./console-error.module.css";

/** What stands in a page of the console that could not be shown; the navigation stays. */
export function ConsoleError() {
  const error = useRouteError();
  const held = formInHand(error);
  if (held) {
    return (
      <>
        <FailedHeader title={held.title} />
        <div className={styles.narrow}>
          <Panel>{held.content}</Panel>
        </div>
      </>
    );
  }
  const status = errorStatus(error, isRouteErrorResponse(error));
  if (status === 404) {
    return (
      <>
        <FailedHeader title="Not found" />
        <EmptyState drawing="touchstone" action={<Link to="/operator">To Today</Link>}>
          There is nothing at this address. It may have been mistyped.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <FailedHeader title="This page failed" actions={<Link to="/operator">To Today</Link>} />
      <Notice
        tone="error"
        title={status === null ? "No answer came" : `The server answered ${status}`}
      >
        What you sent is either done whole or not at all. Look at the case, or into the audit log,
        before you repeat it; a repeated approval or rejection changes nothing.
      </Notice>
    </>
  );
}

/** The failed page no longer names itself in the title, so the error does. */
function FailedHeader({ title, actions }: { title: string; actions?: ReactNode }) {
  const site = useRouteLoaderData<{ siteName: string }>("root");
  return (
    <>
      <title>{[title, site?.siteName].filter(Boolean).join(" · ")}</title>
      <PageHeader title={title} actions={actions} />
    </>
  );
}
