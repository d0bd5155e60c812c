import { useState } from "react";
import { sidebarCookie } from "./sidebar-cookie.ts";

/** Whether the sidebar is folded, and the act that folds or opens it and remembers. */
export function useCollapsed(initial: boolean): [boolean, () => void] {
  const [collapsed, setCollapsed] = useState(initial);
  const toggle = () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
    document.cookie = sidebarCookie.write(!collapsed, location.protocol === "https:");
    setCollapsed(!collapsed);
  };
  return [collapsed, toggle];
}
