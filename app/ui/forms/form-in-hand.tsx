import { type ReactNode, useEffect } from "react";
import { isRouteErrorResponse } from "react-router";
import { type SignedOut, signedOutWords } from "#core/people/signed-out.ts";
import type { ResumedForm } from "#core/resumed-form.ts";
import { type ApprovalQuestion, ApproveAct } from "./approve-act.tsx";
import styles from "./ask-again.module.css";
import { AskAgain, ResumedFields, type StepUpQuestion } from "./ask-again.tsx";
import { SubmitButton } from "./submit-button.tsx";

interface SignedOutForm {
  form: ResumedForm;
  why: SignedOut;
  signIn: string;
}

interface FormInHand {
  /** No loader has run where a page's guard answers: the layout's own facts are missing. */
  siteName: string;
  title: string;
  content: ReactNode;
}

/**
 * What is in a page's place for a form that could not be taken yet, but is not lost: whoever sent it shows a second
 * factor first, signs what is approved, or signs in again. Null for any other answer.
 */
export function formInHand(error: unknown): FormInHand | null {
  if (!isRouteErrorResponse(error)) return null;
  const { asked, approve, signedOut, siteName } = (error.data ?? {}) as {
    asked?: StepUpQuestion;
    approve?: ApprovalQuestion;
    signedOut?: SignedOutForm;
    siteName: string;
  };
  if (asked)
    return { siteName, title: "Is it you?", content: atItsTop(<AskAgain question={asked} />) };
  if (approve) {
    const content = atItsTop(<ApproveAct {...approve} />);
    return { siteName, title: "Sign this with your passkey", content };
  }
  if (signedOut)
    return {
      siteName,
      title: "You were signed out",
      content: atItsTop(<SendAfterSignIn {...signedOut} />),
    };
  return null;
}

/** Forms keep the page where it is, and their answer would be read from its middle. */
function atItsTop(children: ReactNode): ReactNode {
  return <AtItsTop>{children}</AtItsTop>;
}

function AtItsTop({ children }: { children: ReactNode }): ReactNode {
  useEffect(() => window.scrollTo(0, 0), []);
  return children;
}

/** Without this page what was filled in would be gone with the session. */
function SendAfterSignIn({ form, why, signIn }: SignedOutForm) {
  return (
    <div className={styles.fields}>
      <p className={styles.lead}>
        {signedOutWords[why]} This time nothing was done, and nothing that you filled in is lost:
        sign in again in another window, come back to this one, and send it.
      </p>
      <p className={styles.lead}>
        <a href={signIn} target="_blank" rel="noopener">
          Sign in again (opens another window)
        </a>
      </p>
      <form
        method="post"
        action={form.action}
        className={styles.fields}
        {...(form.tooLarge.length > 0 && { encType: "multipart/form-data" })}
      >
        <ResumedFields form={form} />
        <div>
          <SubmitButton pendingText="Sending…">Send it now</SubmitButton>
        </div>
      </form>
    </div>
  );
}
