import { EmptyState } from "#app/ui/empty-state.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";

export const meta = titled("Verification");

/** A protected page keeps a loader: server middleware runs on a client navigation only with data to fetch. */
export function loader() {
  return null;
}

export default function Verification() {
  return (
    <>
      <PageHeader title="Verification" />
      <Panel>
        <EmptyState drawing="seal">
          Nothing is asked of you now. Before the first contract or withdrawal you will prove your
          age and country here, with a document that only the staff who check it can see.
        </EmptyState>
      </Panel>
    </>
  );
}
