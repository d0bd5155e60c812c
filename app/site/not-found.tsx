import { data } from "react-router";
import { loadDocument, plainPage } from "#app/plain-page.ts";
import { requestContext } from "#server/app-context.ts";
import type { Route } from "./+types/not-found";

export const handle = plainPage("site");
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [loadDocument];

/** Any address that is no one's, and the page of who was refused a file. */
export function loader({ context }: Route.LoaderArgs) {
  const { status, data: reason } = context.get(requestContext).refused ?? nobodys;
  throw data(reason, { status });
}

const nobodys = { status: 404, data: null };

export default function NotFound() {
  return null;
}
