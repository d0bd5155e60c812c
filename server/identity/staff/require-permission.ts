import { data, type MiddlewareFunction } from "react-router";
import { permissionTexts } from "#core/permission-texts.ts";
import {
  isActByReading,
  isApproval,
  isSensitive,
  may,
  type Permission,
} from "#core/permissions.ts";
import { appContext } from "../../app-context.ts";
import { requireApproval } from "../audit/require-approval.ts";
import { operatorContext } from "../sessions/person-context.ts";
import { requireFreshForFile } from "../step-up/fresh-mfa.ts";
import { requireStepUp } from "../step-up/require-step-up.ts";

/** What each form of a page needs, by its `intent`; one name alone when the page has one form without an intent. */
export type PermissionsOfForms = Permission | Readonly<Record<string, Permission>>;

export interface PermissionCheck extends MiddlewareFunction<Response> {
  reads: Permission;
  forms: PermissionsOfForms | null;
}

/**
 * Lets staff pass whose role may read this page of the console, and send this form. Who may not is told so (403); a form
 * that the page does not have is refused (400). What is sensitive asks for the second factor again first and loses
 * nothing of a form by it. `actAsOperator` asks again, for the role that the database knows then.
 */
export function requirePermission(
  reads: Permission,
  forms: PermissionsOfForms | null = null,
): PermissionCheck {
  const check: MiddlewareFunction<Response> = async (args, next) => {
    const { request, context } = args;
    const { id: operatorId, role, requestId } = context.get(operatorContext);
    const refuse = (permission: Permission) => {
      const { log } = context.get(appContext);
      log.warn({ requestId, operatorId, role, permission }, "not permitted");
      return notPermitted(permission);
    };
    if (!may(role, reads)) throw refuse(reads);
    if (request.method === "GET" || request.method === "HEAD") {
      guardReading(reads, args);
      return next();
    }
    const needed = await neededFor(request, forms);
    if (!may(role, needed)) throw refuse(needed);
    if (isApproval(needed)) return requireApproval(args, next);
    return isSensitive(needed) ? requireStepUp(args, next) : next();
  };
  return Object.assign(check, { reads, forms });
}

type Arguments = Parameters<MiddlewareFunction<Response>>[0];

function guardReading(reads: Permission, { request, context, url }: Arguments): void {
  if (isActByReading(reads) && !isOwnWish(request.headers)) throw fromElsewhere();
  if (isSensitive(reads)) requireFreshForFile(context, url, context.get(appContext).now());
}

/**
 * Whether a person asked for this on a page of ours, or by typing the address. Files are opened by address, since no form can
 * show a picture or leave its page where it is for a download; so another site's link, and a browser that fetches ahead, must
 * not write a line into the audit log in somebody's name. Browsers say so of themselves and let no page change it.
 */
export function isOwnWish(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site") ?? "same-origin";
  const purpose = `${headers.get("sec-purpose")} ${headers.get("purpose")}`;
  return (site === "same-origin" || site === "none") && !purpose.includes("prefetch");
}

async function neededFor(request: Request, forms: PermissionsOfForms | null): Promise<Permission> {
  if (forms === null) throw data(null, { status: 405, statusText: "Method Not Allowed" });
  if (typeof forms === "string") return forms;
  const intent = (await request.clone().formData()).get("intent");
  const needed = Object.entries(forms).find(([name]) => name === intent)?.[1];
  if (!needed) throw data(null, { status: 400, statusText: "Bad Request" });
  return needed;
}

function fromElsewhere() {
  return data({ fromElsewhere: true }, { status: 403, statusText: "Forbidden" });
}

/** What the page in its place says: app/ui/page/error-page.tsx. */
function notPermitted(permission: Permission) {
  return data({ refused: permissionTexts[permission] }, { status: 403, statusText: "Forbidden" });
}
