import { Outlet } from "react-router";
import { formInHand } from "#app/ui/forms/form-in-hand.tsx";
import { ErrorPage, ErrorWords } from "#app/ui/page/error-page.tsx";
import { appContext } from "#server/app-context.ts";
import { countThreadsWithNews } from "#server/contact/list-own-threads.ts";
import {
  customerContext,
  settingsContext,
  viewContext,
} from "#server/identity/sessions/person-context.ts";
import { requireCustomer } from "#server/identity/sessions/require-customer.ts";
import { countUnreadNotices } from "#server/notices/count-unread-notices.ts";
import { pipelineReads } from "#server/platform/database/pipeline-reads.ts";
import type { Route } from "./+types/layout";
import { Frame } from "./frame/frame.tsx";
import { sidebarCookie } from "./frame/sidebar-cookie.ts";

export const middleware: Route.MiddlewareFunction[] = [requireCustomer];

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const { config, db } = context.get(appContext);
  const { id, firstName, lastName } = context.get(customerContext);
  const { locale, timeZone, currency } = context.get(settingsContext);
  const preferences = { locale, timeZone, currency };
  const viewed = context.get(viewContext);
  const [unread, unreadMessages] = await pipelineReads(db, (one) =>
    Promise.all([countUnreadNotices(one, id), countThreadsWithNews(one, id, threadIn(url))]),
  );
  const collapsed = sidebarCookie.isCollapsed(request, config.appUrl.startsWith("https:"));
  return { firstName, lastName, preferences, viewed, unread, unreadMessages, collapsed };
}

/** The thread that its page opens at the same time: what is new in it is read now. */
function threadIn({ pathname }: URL): string | null {
  return (
    /^\/account\/messages\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(pathname)?.[1] ??
    null
  );
}

export default function AccountLayout({ loaderData }: Route.ComponentProps) {
  return (
    <Frame read={loaderData}>
      <Outlet />
    </Frame>
  );
}

/** What could not be shown is said inside the frame, so that the way on is at hand; what asks something has its own page. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  if (!loaderData || formInHand(error)) return <ErrorPage error={error} />;
  return (
    <Frame read={loaderData}>
      <ErrorWords error={error} back={dashboard} />
    </Frame>
  );
}

const dashboard = { to: "/account/dashboard", label: "Back to the dashboard" };
