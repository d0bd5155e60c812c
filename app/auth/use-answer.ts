import { useEffect } from "react";
import { useNavigate } from "react-router";
import { notify } from "#app/ui/notify.tsx";
import { delays } from "#core/terms.ts";
import type { Answer } from "./answer.ts";

/** Shows an answer's toasts and, after a success, goes on when the specification's two seconds are over. */
export function useAnswer(
  answer: Answer | undefined,
  success: Array<{ text: string; tone: "success" | "info" }>,
): void {
  const navigate = useNavigate();
  // Each answer is shown once: `at` tells one from the next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words never change
  useEffect(() => {
    if (answer?.failure) notify(answer.failure, { tone: "error", long: true });
    if (!answer?.next) return;
    const { next } = answer;
    for (const { text, tone } of success) notify(text, { tone, long: true });
    const timer = setTimeout(() => navigate(next), delays.signInRedirectMs);
    return () => clearTimeout(timer);
  }, [answer?.at]);
}
