/** What search engines may list, each by its one address. */
export const listedPaths = [
  "/",
  "/about",
  "/services",
  "/contact",
  "/faq",
  "/news",
  "/newsletter",
  "/prices",
  "/plans",
  "/calculator",
  "/terms",
  "/terms?tab=privacy",
  "/terms?tab=disclaimer",
  "/terms?tab=cookies",
  "/signup",
  "/login",
] as const;
