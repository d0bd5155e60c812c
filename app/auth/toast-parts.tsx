import { Notice, type NoticeTone } from "#app/ui/page/notice.tsx";
import { Toasts } from "#app/ui/toasts/toasts.tsx";
import { delays } from "#core/terms.ts";

const tones: NoticeTone[] = ["success", "info", "warning", "error"];

/** What the page's script makes toasts and alerts of (enhance/words.ts), and where a screen reader hears of them. */
export function ToastParts() {
  return (
    <>
      <div role="status" data-toast-place="" />
      <template data-toasts="">
        <Toasts stayMs={delays.noticeToastMs} />
      </template>
      {tones.map((tone) => (
        <template key={tone} data-notice={tone}>
          <Notice tone={tone} />
        </template>
      ))}
    </>
  );
}
