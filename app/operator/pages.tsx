import { Outlet } from "react-router";
import { ConsoleError } from "./parts/console-error.tsx";

/** Around every page of the console: where one fails, the navigation stays. */
export const ErrorBoundary = ConsoleError;

export default function ConsolePages() {
  return <Outlet />;
}
