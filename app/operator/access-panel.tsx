import { Link } from "react-router";
import { Panel } from "#app/ui/panel.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";

/** Whether a customer can get in, with the way to freeze, to open again, and to remove lost factors. */
export function AccessPanel({ customerId, frozen }: { customerId: string; frozen: boolean }) {
  return (
    <Panel
      title="Access"
      aside={<StatusBadge status={frozen ? "frozen" : "open"} tone={frozen ? "bad" : "good"} />}
    >
      <Link to={`/operator/customers/${customerId}/access`}>
        {frozen ? "Why, and opening it again" : "Freeze, or remove lost second factors"}
      </Link>
    </Panel>
  );
}
