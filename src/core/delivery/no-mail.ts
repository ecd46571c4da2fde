/** What is said wherever a mail would be sent, on an installation that nobody gave a mail server. */
export const noMailText = "This installation can't send email. Its operator can turn email on with SMTP_URL and MAIL_FROM."
