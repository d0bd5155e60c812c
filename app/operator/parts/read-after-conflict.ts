import type { ShouldRevalidateFunctionArgs } from "react-router";

/**
 * A refused form leaves the console as it was, except for who came second (409): what a colleague has done
 * meanwhile must be seen, on the page and in the counts of the navigation.
 */
export function readAfterConflict({
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus === 409 || defaultShouldRevalidate;
}
