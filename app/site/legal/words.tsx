import { Fragment } from "react";
import { Link } from "react-router";
import { type Inline, parseInline } from "#core/legal/inline.ts";

/** The words of a paragraph with their links and names in code. */
export function Words({ of }: { of: string }) {
  let at = 0;
  return parseInline(of).map((run) => {
    at += run.text.length;
    return <Fragment key={at}>{draw(run)}</Fragment>;
  });
}

function draw({ text, href, code }: Inline) {
  if (href?.startsWith("#")) return <a href={href}>{text}</a>;
  if (href) return <Link to={href}>{text}</Link>;
  return code ? <code>{text}</code> : text;
}
