import { useRouteLoaderData } from "react-router";
import { may, type Permission } from "#core/permissions.ts";
import type { loader } from "./layout.tsx";

/** Whether who looks at the page may do something: what a role may not do is not offered. */
export function useMay(): (permission: Permission) => boolean {
  const console = useRouteLoaderData<typeof loader>("operator/layout");
  return (permission) => console !== undefined && may(console.operator.role, permission);
}
