import { EmptyState } from "#app/ui/empty-state.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";

export const meta = titled("Withdraw");

/** A protected page keeps a loader: server middleware runs on a client navigation only with data to fetch. */
export function loader() {
  return null;
}

export default function Withdraw() {
  return (
    <>
      <PageHeader title="Withdraw" />
      <Panel>
        <EmptyState drawing="balance">
          Withdrawals are not open yet. You will choose a coin, an amount and an address here, and
          see the day on which it leaves. Your coins stay in your balance until then.
        </EmptyState>
      </Panel>
    </>
  );
}
