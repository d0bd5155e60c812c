import { data } from "react-router";
import { loadDocument, plainPage } from "#app/plain-page.ts";
import type { Route } from "./+types/not-found";

export const handle = plainPage("site");
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [loadDocument];

/** Any address that is nobody's. */
export function loader() {
  throw data(null, { status: 404 });
}

export default function NotFound() {
  return null;
}
