import { Notice } from "#app/ui/notice.tsx";
import { aroundContactPage, contactPage } from "./contact-page.ts";

/** What is wrong with a form as a whole. There also when nothing is: a script may have something to say. */
export function FormWords({ errors }: { errors: readonly string[] }) {
  return (
    <div data-wrong>
      {errors.length > 0 ? (
        <Notice tone="error">
          <Words text={errors.join(" ")} />
        </Notice>
      ) : null}
    </div>
  );
}

function Words({ text }: { text: string }) {
  const around = aroundContactPage(text);
  if (!around) return text;
  return (
    <>
      {around[0]}
      <a href={contactPage.href}>{contactPage.words}</a>
      {around[1]}
    </>
  );
}
