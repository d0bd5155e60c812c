import { redirect } from "react-router";
import { flash } from "#app/ui/flash.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { signOut } from "#server/identity/sign-out.ts";
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
    return redirect("/login", { headers });
  } catch (error) {
    app.log.error(
      { err: error, requestId: context.get(requestContext).requestId },
      "sign-out failed",
    );
    return redirect("/login", { headers: { "Set-Cookie": await flash("sign-out-failed") } });
  }
}
