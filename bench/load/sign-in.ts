/** Signs a customer in, as a browser without JavaScript does, and gives the cookies that he then has. */
export async function signIn(url: string, email: string, password: string): Promise<string> {
  // The demo serves while its customers are still being made.
  for (let attempt = 0; attempt < 120; attempt += 1) {
    const cookie = await trySignIn(url, email, password);
    if (cookie) return cookie;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${email} could not sign in`);
}

async function trySignIn(url: string, email: string, password: string): Promise<string> {
  const answer = await fetch(`${url}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: url },
    body: new URLSearchParams({ email, password }),
  });
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  return cookies.filter((cookie) => cookie.includes("session")).join("; ");
}
