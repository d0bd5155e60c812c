import { cookieName, findCookie } from "#core/cookie-name.ts";

const name = "sidebar";

/** Whether the sidebar is folded to its icons: kept in the browser, read by the server, so that nothing jumps. */
export const sidebarCookie = {
  isCollapsed(request: Request, secure: boolean): boolean {
    return findCookie(request.headers.get("cookie"), name, secure) === "collapsed";
  },
  /** For `document.cookie`; a year long. */
  write(collapsed: boolean, secure: boolean): string {
    const cookie = `${cookieName(name, secure)}=${collapsed ? "collapsed" : "open"}`;
    return `${cookie}; path=/; max-age=31536000; samesite=lax${secure ? "; secure" : ""}`;
  },
};
