import { index, layout, prefix, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  layout("site/layout.tsx", [
    index("site/home.tsx"),
    route("about", "site/about.tsx"),
    route("services", "site/services.tsx"),
    route("contact", "site/contact.tsx"),
    route("faq", "site/faq.tsx"),
    route("terms", "site/terms.tsx"),
  ]),
  layout("auth/layout.tsx", [
    route("login", "auth/login.tsx"),
    route("signup", "auth/signup.tsx"),
    route("forgotpassword", "auth/forgot-password.tsx"),
    route("resetpassword", "auth/reset-password.tsx"),
    route("verify-email", "auth/verify-email.tsx"),
  ]),
  route("signout", "auth/sign-out.tsx"),
  route("account", "account/layout.tsx", [
    index("account/dashboard.tsx", { id: "account-index" }),
    route("dashboard", "account/dashboard.tsx"),
    route("deposit", "account/deposit.tsx"),
    route("deposit/draft", "account/draft-slip.ts"),
    route("deposit/:depositId", "account/deposit-details.tsx"),
    route("deposit/:depositId/slip", "account/deposit-slip.ts"),
    route("evidence/:transferId", "account/evidence.tsx"),
    route("withdraw", "account/withdraw.tsx"),
    route("transactions", "account/transactions.tsx"),
    route("profile", "account/profile.tsx"),
    route("verification", "account/verification.tsx"),
  ]),
  route("operator", "operator/layout.tsx", [
    index("operator/deposits.tsx"),
    ...prefix("deposits/:depositId", [
      index("operator/deposit.tsx"),
      route("slip", "operator/deposit-slip.ts"),
    ]),
    route("customers", "operator/customers.tsx"),
    route("customers/:customerId", "operator/customer.tsx"),
    route("mail", "operator/mail.tsx"),
    route("mail/:mailId", "operator/mail-details.tsx"),
    route("audit", "operator/audit.tsx"),
    route("audit.csv", "operator/audit-export.ts"),
  ]),
  route("*", "site/not-found.tsx"),
] satisfies RouteConfig;
