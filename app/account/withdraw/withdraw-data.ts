import type { Route } from "./+types/withdraw";

/** What the page's parts are made of. */
export type WithdrawData = Route.ComponentProps["loaderData"];
