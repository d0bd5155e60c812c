import type { ShouldRevalidateFunctionArgs } from "react-router";

/**
 * A refused form leaves the page as it was, unless the page was old (409): what a colleague, the worker, another tab or a form whose
 * answer was lost has done must be seen, on the page and in the counts of the navigation.
 */
export function readAfterConflict({
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus === 409 || defaultShouldRevalidate;
}
