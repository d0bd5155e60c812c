import { Link, useRouteLoaderData } from "react-router";
import layout from "#app/ui/page/layout.module.css";

/** What stands behind an approval: the signature of a passkey, or no more than a code. */
export function ApprovalNote() {
  const console = useRouteLoaderData<{ operator: { approvesWith: "passkey" | "code" } }>(
    "operator/layout",
  );
  if (console?.operator.approvesWith === "passkey") {
    return <p className={layout.note}>You sign this with your passkey before it is done.</p>;
  }
  return (
    <p className={layout.note}>
      You approve this with a code, and the audit log says so. With{" "}
      <Link to="/operator/security/passkey">a passkey</Link> it would keep your signature.
    </p>
  );
}
