import type { ShouldRevalidateFunctionArgs } from "react-router";

/**
 * A refused form leaves the page as it was, except for who came second (409): what a colleague, the worker or another tab has done
 * meanwhile must be seen, on the page and in the counts of the navigation.
 */
export function readAfterConflict({
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus === 409 || defaultShouldRevalidate;
}
