const name = "sidebar";

/** Whether the sidebar is folded to its icons: kept in the browser, read by the server, so that nothing jumps. */
export const sidebarCookie = {
  isCollapsed(request: Request): boolean {
    const pairs = request.headers.get("cookie")?.split(/;\s*/) ?? [];
    return pairs.includes(`${name}=collapsed`);
  },
  /** For `document.cookie`; a year long. */
  write(collapsed: boolean): string {
    return `${name}=${collapsed ? "collapsed" : "open"}; path=/account; max-age=31536000; samesite=lax`;
  },
};
