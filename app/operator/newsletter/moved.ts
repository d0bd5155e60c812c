import { redirect } from "react-router";
import { guard } from "../parts/route.ts";
import type { Route } from "./+types/moved";

export const middleware = guard("newsletter/read");

/** Where pages stood that were taken out. */
export function loader({ request }: Route.LoaderArgs) {
  throw redirect(`/operator/newsletter${new URL(request.url).search}`);
}
