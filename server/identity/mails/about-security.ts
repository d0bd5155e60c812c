/** Why mails of this kind come, whatever their reader has switched off. */
export const aboutSecurity = "You get this because it is about the security of your account.";
