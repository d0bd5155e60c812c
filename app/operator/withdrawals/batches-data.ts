import type { Route } from "./+types/batches";

/** What the page of all batches is made of, and what it says of a form that was refused. */
export type BatchesData = Route.ComponentProps["loaderData"];
export type BatchesAnswer = Route.ComponentProps["actionData"];
