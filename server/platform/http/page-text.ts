/**
 * A page's text on its way through the router, beside its answer: of an answer with a body the router asks the body, for which
 * Node makes a stream of the text, and the server bytes of the stream again: a twentieth of a page's work.
 */
const texts = new WeakMap<Response, string>();

/** The answer, without its text. */
export function beside(text: string, init: ResponseInit): Response {
  const answer = new Response(null, init);
  texts.set(answer, text);
  return answer;
}

/** The answer that the router gave, with its text when it has one. */
export function withText(answer: Response): Response {
  const text = texts.get(answer);
  if (text === undefined) return answer;
  return new Response(text, { status: answer.status, headers: answer.headers });
}
