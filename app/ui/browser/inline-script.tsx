import { useNonce } from "./nonce.ts";

interface InlineScriptProps {
  /** JavaScript, with nothing in it that a visitor or an operator has written. */
  text: string;
  type?: "module";
}

/** Script in the page itself, run where it is: for what must not wait for a file. */
export function InlineScript({ text, type }: InlineScriptProps) {
  return (
    <script
      type={type}
      nonce={useNonce()}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the text is ours.
      dangerouslySetInnerHTML={{ __html: text }}
    />
  );
}
