import { redirect } from "react-router";
import { wantsAnswer } from "#app/plain-page.ts";
import type { SignOutAnswer } from "#app/ui/forms/sign-out-form.tsx";
import { flash } from "#app/ui/toasts/flash.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { signOut } from "#server/identity/sign-in/sign-out.ts";
import type { Route } from "./+types/sign-out";

/** Only a form signs out: a link or a picture must not. */
export function loader() {
  return redirect("/login");
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  try {
    const { cookies } = await signOut(app, request);
    const headers = new Headers({ "Set-Cookie": await flash("signed-out") });
    for (const cookie of cookies) headers.append("Set-Cookie", cookie);
    if (wantsAnswer(request)) return answer({ next: "/login" }, { headers });
    return redirect("/login", { headers });
  } catch (error) {
    app.log.error(
      { err: error, requestId: context.get(requestContext).requestId },
      "sign-out failed",
    );
    if (wantsAnswer(request)) return answer({ failure }, { status: 503 });
    const headers = { "Set-Cookie": await flash("sign-out-failed") };
    return redirect(pageBefore(request), { headers });
  }
}

const failure = "the session could not be ended. You are still signed in. Please try again.";

function answer(body: SignOutAnswer, init: ResponseInit): Response {
  return Response.json(body, init);
}

/** Whoever could not be signed out stays on the page with the button. */
function pageBefore(request: Request): string {
  const before = request.headers.get("referer") ?? "";
  if (!URL.canParse(before)) return "/login";
  const { host, pathname, search } = new URL(before);
  const isOurs =
    host === new URL(request.url).host && /^\/(?:account|operator)(?:\/|$)/.test(pathname);
  return isOurs ? pathname + search : "/login";
}
