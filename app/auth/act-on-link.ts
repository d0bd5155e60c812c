import { data, type RouterContextProvider } from "react-router";
import { type ActResult, runAct } from "#app/run-act.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { limits } from "#server/identity/sign-in/limits.ts";
import { clientNetwork, countAttempt } from "#server/platform/rate-limit.ts";
import { sayLink } from "./say-link.ts";

/** The address of a page behind an e-mail's link holds a token: it goes to no other site. */
export const linkHeaders = () => ({ "Referrer-Policy": "same-origin" });

export const tokenOf = (url: URL): string => url.searchParams.get("token") ?? "";

interface Sent {
  request: Request;
  url: URL;
  context: Readonly<RouterContextProvider>;
}

interface OpenedLink {
  token: string;
  browser: { ipAddress: string; userAgent: string | null };
  now: Date;
}

/** Counts the attempt, then does what the link is for: leads on, or names what was done. */
export function actOnLink<Done extends string>(
  { request, url, context }: Sent,
  act: (link: OpenedLink) => Promise<ActResult | Done>,
) {
  const { db, now } = context.get(appContext);
  const { clientAddress: ipAddress } = context.get(requestContext);
  const browser = { ipAddress, userAgent: request.headers.get("user-agent") };
  const at = now();
  return runAct(
    async () => {
      await countAttempt(db, limits.linkByNetwork, clientNetwork(ipAddress), at);
      const done = await act({ token: tokenOf(url), browser, now: at });
      return typeof done === "string" ? data({ done, problem: null }) : done;
    },
    ({ text: problem }) => ({ done: null, problem }),
    sayLink(at),
  );
}
