import { useRouteLoaderData } from "react-router";
import { may, type OperatorRole, type Permission } from "#core/permissions.ts";

/** Whether who looks at the page may do something: what a role may not do is not offered. */
export function useMay(): (permission: Permission) => boolean {
  const console = useRouteLoaderData<{ operator: { role: OperatorRole } }>("operator/layout");
  return (permission) => console !== undefined && may(console.operator.role, permission);
}
