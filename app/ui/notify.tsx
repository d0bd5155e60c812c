import { notifications } from "@mantine/notifications";
import Check from "lucide-react/icons/check";
import Info from "lucide-react/icons/info";
import X from "lucide-react/icons/x";
import type { ReactNode } from "react";
import { delays } from "#core/terms.ts";

type Tone = "success" | "error" | "info";

const colours: Record<Tone, string> = { success: "patina", error: "brick", info: "gray" };
const icons = { success: Check, error: X, info: Info };

/** Shows a toast at the top right for 3 s, or for 5 s when it asks for something. */
export function notify(
  message: ReactNode,
  { tone = "info", long = false }: { tone?: Tone; long?: boolean } = {},
): void {
  const Icon = icons[tone];
  notifications.show({
    message,
    color: colours[tone],
    icon: <Icon size={16} aria-hidden="true" />,
    autoClose: long ? delays.noticeToastMs : delays.toastMs,
    withBorder: true,
    closeButtonProps: { "aria-label": "Close" },
  });
}

export function notifySuccess(message: ReactNode): void {
  notify(message, { tone: "success" });
}

export function notifyError(message: ReactNode): void {
  notify(message, { tone: "error" });
}
