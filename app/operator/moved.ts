import { redirect } from "react-router";
import type { Route } from "./+types/moved";
import { guard } from "./parts/route.ts";

export const middleware = guard("content/read");

/** Pages that were taken out, and where what took their place is. */
const places: [RegExp, string][] = [
  [/^\/operator\/news(\/|$)/, "/operator/content"],
  [/^\/operator\/newsletter\//, "/operator/newsletter"],
];

export function loader({ request }: Route.LoaderArgs) {
  const { pathname } = new URL(request.url);
  throw redirect(places.find(([from]) => from.test(pathname))?.[1] ?? "/operator");
}
