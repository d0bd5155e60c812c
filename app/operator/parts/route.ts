import { data, type RouterContextProvider } from "react-router";
import type { Permission } from "#core/permissions.ts";
import { type App, appContext } from "#server/app-context.ts";
import { operatorContext } from "#server/identity/sessions/person-context.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import {
  type PermissionCheck,
  type PermissionsOfForms,
  requirePermission,
} from "#server/identity/staff/require-permission.ts";

/** Who may read a page, and what each of its forms needs by its `intent`: `export const middleware = guard(...)`. */
export function guard(reads: Permission, forms?: PermissionsOfForms): PermissionCheck[] {
  return [requirePermission(reads, forms)];
}

/** What loaders and actions of the console work with. */
export function consoleOf(
  context: Readonly<RouterContextProvider>,
): App & { app: App; operator: Operator } {
  const app = context.get(appContext);
  return { ...app, app, operator: context.get(operatorContext) };
}

/** What was looked for; where it is not there, the page says so (404). */
export function found<T>(value: T): NonNullable<T> {
  if (value === null || value === undefined) throw notFound();
  return value;
}

export function notFound() {
  return data(null, { status: 404, statusText: "Not Found" });
}
